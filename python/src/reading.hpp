// Files, and text that is made as it is read, by the program's own readers: names learned from them, or those of a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fitting.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "table.hpp"

namespace lazylogit::python {

using Options = std::map<std::string, std::string>;  // names of the program, without dashes

// Throws ConfigError for a name that is none or a value that is not accepted.
io::ReadOptions read_options_of(const Options& given);

// Features that rows have before a kernel compares them, and their names.
std::size_t num_inputs(const model::Model& model);
const data::Alphabet& input_names(const model::Model& model);

// What a model fixes about its input; its names have an index.
io::FixedNames fixed_names(const model::Model& model);

// Learns names and classes. Open to Ctrl-C.
Table read_files(const std::vector<std::string>& paths, const Options& options);
Table read_text(const io::Input::Maker& make, const Options& options);
// Names and classes of a model; labels may be absent.
Table read_files(const std::vector<std::string>& paths, const Options& options, const Fitted& model);
Table read_text(const io::Input::Maker& make, const Options& options, const Fitted& model);

}  // namespace lazylogit::python
