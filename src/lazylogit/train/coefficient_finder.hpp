// Which coefficients a line of a user's file names: by feature and class.
//
// `*` matches every feature but (intercept), or every class that has a vector. A feature that the data lacks is a warning
// with the nearest name; a class that it lacks, or the reference class, is an error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/class_table.hpp"
#include "lazylogit/model/shape.hpp"
#include "lazylogit/train/small_csv.hpp"

namespace lazylogit::train {

// What names mean. `features` has an index. Hashed features are named as in the data, which stands for their slot and
// whatever else is in it, or by the slot itself, "#123".
struct CoefficientNames {
  const data::Alphabet* features;
  const data::ClassTable* classes;
  model::Shape shape;
  std::optional<int> hash_bits = {};
};

class CoefficientFinder {
 public:
  // All must outlive the finder.
  CoefficientFinder(const std::string& file, const CoefficientNames& names, Log& log)
      : file_(file), names_(names), log_(log) {}

  // Calls set(index) for every coefficient of the features and classes that the fields name.
  void for_each(const CsvField& feature, const CsvField& label, const std::function<void(std::size_t)>& set);
  // Counts the unknown features that were not reported one by one.
  void finish();

 private:
  std::pair<std::size_t, std::size_t> vectors(const CsvField& field) const;
  std::optional<std::size_t> find_feature(const CsvField& field);

  // A suggestion takes a look at every feature: a file for another vocabulary must not pay that for each line.
  static constexpr std::uint64_t most_reported = 3;

  const std::string& file_;
  const CoefficientNames& names_;
  Log& log_;
  std::uint64_t num_unknown_ = 0;
};

}  // namespace lazylogit::train
