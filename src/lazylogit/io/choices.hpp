// Data for the conditional logit: rows are candidates, and rows that stand together are the candidates of one choice.
//
// Long form, any table: a column names the choice that a row is a candidate of; the label says whether it was taken.
// Nested form, JSON lines: a line is a choice; one key holds its candidates, a list of objects or an object of them by
// name, and the target which of them was taken, by its number from 0 or its name. The other keys of the line are common
// to all candidates. Nested lines are rewritten to the long form as they are read, in bounded memory:
//
//   {"taken": "bus", "income": 3, "modes": {"bus": {"cost": 2}, "car": {"cost": 9}}}
//   {"income": 3, "cost": 2, "modes": "bus", "(choice)": "1", "(taken)": 1}
//   {"income": 3, "cost": 9, "modes": "car", "(choice)": "1", "(taken)": 0}
#pragma once

#include <string>
#include <vector>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/inputs.hpp"

namespace lazylogit::io {

// What the options say of choices for inputs of this format, and the inputs in the long form: those given, or rewritten ones.
// Sets the target and the id of `options`. Throws ConfigError for a format that has no columns, InputError for nested
// lines that are none.
data::ChoiceSpec use_choices(std::vector<Input>& inputs, const FormatEntry& entry, ReadOptions& options);

// The same for a model's data.
void apply_choices(const data::ChoiceSpec& choices, std::vector<Input>& inputs, const ReadOptions& options);

}  // namespace lazylogit::io
