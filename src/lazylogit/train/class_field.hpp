// A class that a user names in a small csv file.
#pragma once

#include <string>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/train/small_csv.hpp"

namespace lazylogit::train {

// The class that the field names. InputError with the nearest class and a few of them when the data has none of that name.
ClassId find_class(const std::string& file, const CsvField& field, const data::ClassTable& classes);

// `, expected "a", "b" or "c"`: the first few classes, to go on a message that one is none of them.
std::string expected_classes(const data::ClassTable& classes);

}  // namespace lazylogit::train
