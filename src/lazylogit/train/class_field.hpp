// A class that a user names in a small csv file.
#pragma once

#include <string>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/train/small_csv.hpp"

namespace lazylogit::train {

// The class that the field names. InputError with the nearest class, or all of them when they are few, when the data
// has none of that name.
ClassId find_class(const std::string& file, const CsvField& field, const data::ClassTable& classes);

}  // namespace lazylogit::train
