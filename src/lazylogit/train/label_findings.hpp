// What rows and labels give away before any fit: a column that is the label in another form, features that are the same in
// every row, and classes of few rows.
//
// A feature tells the class when the ranges of its values in the classes do not meet (an absent entry is 0); a categorical
// column when no category occurs in two classes and categories are few beside the rows. Chance does so in small data: a
// copy of the label (one value per class) is named from 8 rows on, anything else from 20. Cost: one pass over the data and
// room for features × classes; large sparse data is not looked at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::train {

struct SuspectFeatures {
  std::vector<std::string>
      copies;  // of the label: names of columns (of features, where there are no columns)
  std::vector<std::string> constants;  // features other than 0 with one value
};
// Rows of weight 0 do not count.
SuspectFeatures suspect_features(const data::Dataset& data, std::span<const double> weights);

// A sentence about labels that look like measurements, not like classes: many different numbers, some with a fraction or
// nearly as many as there are rows, and no numbering of classes. Empty: they do not.
std::string quantity_labels(const data::Dataset& data, std::span<const double> weights);

// A sentence about labels of which there are hardly fewer than rows, so that most classes have one row; empty: there are
// fewer, or not many. Where they are numbers quantity_labels says more.
std::string distinct_labels(const data::Dataset& data, std::span<const double> weights);

// A sentence about classes of fewer than five rows; empty: there are none, or the data is small as a whole.
std::string rare_classes(const data::Dataset& data, std::span<const double> weights);

// A sentence about classes that no row of positive weight has; empty: there are none.
std::string empty_classes(const data::Dataset& data, std::span<const double> weights);

}  // namespace lazylogit::train
