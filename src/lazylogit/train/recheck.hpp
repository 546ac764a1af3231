// `check MODEL DATA`: is this model the optimum for this data?
#pragma once

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/certificate.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::train {

struct Recheck {
  objective::ErrorParts parts;
  double log_prior = 0;
  model::Certificate certificate;
  std::uint64_t num_examples = 0;
};

// Evaluates the model's error on `rows` under the prior and class weights that it records, and certifies it.
Recheck recheck(const model::Model& model, const data::Rows& rows, Log& log);

}  // namespace lazylogit::train
