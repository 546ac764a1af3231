// `check MODEL DATA`: is this model the optimum for this data?
#pragma once

#include <string>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/certificate.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct Recheck {
  objective::ErrorParts parts;
  double log_prior = 0;
  model::Certificate certificate;
  std::uint64_t num_examples = 0;
  bool optimal = false;    // the certificate satisfies the gap asked for, and there is an optimum
  std::string separation;  // a sentence why there is no optimum; empty where none was found
};

// Evaluates the model's error on `rows` under the prior and class weights that it records, and certifies it. Where nothing
// holds features back and no bound is found, looks whether the classes are separated.
Recheck recheck(const model::Model& model, const data::Rows& rows, Log& log, double gap = TrainOptions{}.gap,
                const CancelToken& cancel = {});

}  // namespace lazylogit::train
