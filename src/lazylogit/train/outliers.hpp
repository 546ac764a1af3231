// Rows that a model finds improbable when they are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/bayes/leave_one_out.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

enum class LeaveOutMethod {
  approximate,  // one Newton step from the optimum, for every row at once
  exact,        // a fit without each row
  folds,        // a fit without each fold
};

struct OutlierSettings {
  LeaveOutMethod method = LeaveOutMethod::approximate;
  std::size_t folds = 10;
  std::uint64_t seed = 1;
};

struct MovedCoefficient {
  std::size_t coordinate;
  double change;  // if the row were left out
};

class Outliers {
 public:
  Outliers(const Outliers&) = delete;
  Outliers& operator=(const Outliers&) = delete;
  // `rows` are those that the model was trained on; a model that is not their optimum is warned of.
  Outliers(const model::Model& model, const data::Rows& rows, const OutlierSettings& settings, Log& log,
           const CancelToken& cancel);

  const std::vector<bayes::LeftOut>& rows() const noexcept { return rows_; }
  // Rows with a say, the least probable first.
  std::vector<std::size_t> ranking() const;
  // The coefficients that one row moves most; approximate method only.
  std::vector<MovedCoefficient> moved(std::size_t row, std::size_t top) const;

 private:
  Prepared prepared_;
  model::Model fitted_;                              // shape, coefficients and posterior only
  std::optional<bayes::LeaveOneOut> leave_one_out_;  // approximate method
  std::vector<bayes::LeftOut> rows_;
};

}  // namespace lazylogit::train
