// From rows, labels and options to a model, without the GIL and open to Ctrl-C.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/train/train_options.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::python {

// Labels, weights and names beside the matrix.
struct Labelled {
  std::optional<Array<double>> numbers = {};  // linear regression: instead of labels and codes
  std::vector<std::string> labels;            // distinct
  Array<std::int64_t> codes;                  // per row, into labels
  // Rows with any number of labels: where the codes of each row end; they ascend within a row.
  std::optional<Array<std::int64_t>> set_ends = {};
  std::optional<Array<double>> weights;
  std::optional<std::vector<std::string>> names;
  // Two classes: added to the score of the second. Linear regression: to the number.
  std::optional<Array<double>> offsets = {};
};

// A model and how it came about; what is said while fitting becomes Python's warnings.
struct Fitted {
  model::Model model;
  std::vector<optim::PassReport> trace;
  std::vector<std::string> warnings, notices;
  std::optional<train::Tuning> tuning;
};

struct FitSettings {
  std::map<std::string, std::string> options;  // of the program, without dashes
  std::optional<train::TuneSettings> tune;     // chooses the width of the prior first
  std::optional<double> holdout;               // fraction of the rows that is not trained on
  std::size_t threads = 0;                     // 0: all there are
  const Fitted* warm_start = nullptr;
  // Called with the GIL, a few times a second, with the last pass or how far tuning is.
  std::function<void(const optim::PassReport&, std::size_t done, std::size_t of)> progress;
};

// The training options that were given. An option of stochastic training is a wish for it, as it is for the program.
train::TrainOptions train_options_of(const std::map<std::string, std::string>& given);

// The label as the engine knows it. Throws std::invalid_argument for a number that is not finite.
std::string canonical(const std::string& label);

// A data set over the same rows: matrix, weights and labels are borrowed from `table`, names copied. Without `y` the
// labels are the table's own. Throws std::invalid_argument (ValueError) where lengths differ.
data::Dataset dataset_over(const Table& table, const Labelled* y);

// The rows as a model scores them: mapped, where it compares rows by a kernel. Throws ConfigError for rows with more
// features than the model has. What it is made of must outlive it.
class ScoredRows {
 public:
  ScoredRows(const model::Model& model, const data::Rows& rows);
  const data::Rows& rows() const noexcept { return mapped_ ? *mapped_ : rows_; }

 private:
  const data::Rows& rows_;
  std::optional<data::Rows> mapped_;
};

// Throws ConfigError, InputError and std::invalid_argument, which become ValueError.
Fitted fit_data(const Table& table, const Labelled* y, const FitSettings& settings);

}  // namespace lazylogit::python
