// Features that share a width of the prior: by the column or the namespace they come from, or as a file says.
//
//   column      csv, tsv, jsonl: job=teacher and job=nurse are of job, review:good is of review; a product is of the
//               product of the columns of its factors
//   namespace   vw: user^17 is of user; features of the default namespace are of "default"
//   FILE        csv with the header feature,group; `*` matches every feature but (intercept), later lines win; features
//               without a line are of "other"
// An intercept that has a prior is a group of its own, called (intercept), unless the file puts it elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::train {

struct FeatureGroups {
  std::vector<std::string> names;  // in the order of their first features
  std::vector<std::uint32_t> of;   // the group of every row of the layout that has a prior
  std::vector<std::uint64_t> sizes() const;
};

// Everything about `how` that can be told without data. Throws IoError, InputError for a file that cannot be read.
void check_feature_groups(const std::string& how);

// Throws also ConfigError where the data has no columns, or namespaces.
FeatureGroups make_feature_groups(const std::string& how, data::Dataset& data, const model::Shape& shape,
                                  bool with_intercept, Log& log);

}  // namespace lazylogit::train
