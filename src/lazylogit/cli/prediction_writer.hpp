// Predictions as CSV (RFC 4180) or JSON lines, one record per row, in input order.
//
// CSV columns: the id when there is one; `prediction,probability`; with `intervals` the bounds `lower,upper` of that
// probability; with `set` the classes of the set, the most probable first, joined by `|`; with `top` K the pairs `prediction_2,probability_2`, …; with `proba` one column per class named after it,
// and with `intervals` then `NAME_lower,NAME_upper` of each; with `explain` the column `explanation`. Below `threshold` the prediction is empty (null in JSON): no decision. Numbers are
// the shortest that read back to the same double.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lazylogit/config/field.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::cli {

struct PredictionOptions {
  bool proba = false;
  std::uint64_t top = 1;
  std::optional<double> threshold;
  std::optional<double> intervals;       // their level
  std::optional<double> set;             // the probability that sets of classes cover the truth
  std::string calibrate;                 // a file of rows that sets are made from; empty: those of training
  std::optional<std::uint64_t> explain;  // how many features
  std::string form = "csv";              // --output csv | jsonl
};

// Group "Predictions".
const config::Table<PredictionOptions>& prediction_fields();

// For models of numbers and of labels. A number: `prediction`, and with `intervals` `lower,upper`. Labels: `prediction`, the
// labels whose probability is at least `threshold` (0.5) joined by commas (a list in JSON), and with `proba` one column per
// label. ConfigError for options that have no meaning for them.
std::unique_ptr<class PredictionWriter> make_number_writer(const model::Model& model,
                                                           const PredictionOptions& options,
                                                           std::string id_name);
std::unique_ptr<class PredictionWriter> make_label_writer(const model::Model& model,
                                                          const PredictionOptions& options,
                                                          std::string id_name);

class PredictionWriter {
 public:
  // `id_name` is the header of the id column; empty: no ids. `threshold` is that of the sets. ConfigError when two
  // columns would have one name, or when a class's name has the character that joins sets.
  static std::unique_ptr<PredictionWriter> make(const model::Model& model, const PredictionOptions& options,
                                                std::string id_name, double threshold);
  virtual ~PredictionWriter() = default;
  virtual std::string header() const = 0;
  // The records of rows [first, last). Thread-safe.
  virtual std::string records(const data::Rows& rows, const model::Predictions& predictions,
                              std::size_t first, std::size_t last) const = 0;
};

}  // namespace lazylogit::cli
