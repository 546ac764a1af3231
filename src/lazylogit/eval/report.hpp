// An evaluation as text for people and as JSON for programs.
#pragma once

#include <cstddef>
#include <string>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/eval/evaluation.hpp"

namespace lazylogit::eval {

struct ReportOptions {
  std::size_t worst_confusions = 10;
  std::size_t max_matrix_classes = 12;  // with more, the confusion matrix is not printed as a table
};

// The metrics, a row per class, the confusion matrix or the worst confusions, and how well probabilities are
// calibrated.
std::string report_text(const Evaluation& evaluation, const data::ClassTable& classes,
                        const ReportOptions& options = {});

// One object and a line end: rows, unknown_labels, weight, every metric (null where there is none), classes
// (label, support, predicted, precision, recall, f1, auc), confusions ([{label, prediction, weight}], the
// label null where the model does not know it), confusion_matrix (rows are labels; null for more than 100
// classes) and calibration.
std::string report_json(const Evaluation& evaluation, const data::ClassTable& classes);

}  // namespace lazylogit::eval
