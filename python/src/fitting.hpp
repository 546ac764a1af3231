// From rows, labels and options to a model, without the GIL and open to Ctrl-C.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::python {

// Labels, weights and names beside the matrix.
struct Labelled {
  std::vector<std::string> labels;
  Array<std::int64_t> codes;  // per row, into labels
  std::optional<Array<double>> weights;
  std::optional<std::vector<std::string>> names;
};

// A model and how it came about; what is said while fitting becomes Python's warnings.
struct Fitted {
  model::Model model;
  std::vector<optim::PassReport> trace;
  std::vector<std::string> warnings, notices;
  std::optional<train::Tuning> tuning;
};

// `tune` chooses the width of the prior first; `threads` 0: all there are. Throws ConfigError, InputError and
// std::invalid_argument, which become ValueError.
Fitted fit_data(data::Rows rows, const Labelled& y, const std::map<std::string, std::string>& given,
                const std::optional<train::TuneSettings>& tune, std::size_t threads,
                const Fitted* warm_start);

}  // namespace lazylogit::python
