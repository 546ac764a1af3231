#include "lazylogit/eval/metrics.hpp"

#include <array>

namespace lazylogit::eval {
namespace {

using Value = std::optional<double>;

constexpr std::array all_metrics{
    Metric{"accuracy", "", "share of rows whose label was predicted; an unknown label counts as wrong",
           [](const Evaluation& e) -> Value { return e.accuracy; }},
    Metric{"majority_accuracy", "", "accuracy of always answering the most frequent label",
           [](const Evaluation& e) -> Value { return e.majority_accuracy; }},
    Metric{"log_loss", "nats", "mean -ln p(label) over rows whose label the model knows, not clipped",
           [](const Evaluation& e) -> Value { return e.log_loss; }},
    Metric{"cross_entropy", "nats", "of the predictions against the labels: the same number as log_loss",
           [](const Evaluation& e) -> Value { return e.log_loss; }},
    Metric{"entropy", "nats", "mean -sum p ln p of the predictions: the log loss they expect of themselves",
           [](const Evaluation& e) -> Value { return e.entropy; }},
    Metric{"macro_f1", "", "mean F1 over the classes that occur as label or prediction",
           [](const Evaluation& e) -> Value { return e.macro_f1; }},
    Metric{"micro_f1", "", "F1 over all decisions; with one label per row the same number as accuracy",
           [](const Evaluation& e) -> Value { return e.micro_f1; }},
    Metric{"macro_precision", "",
           "mean precision over the classes that occur; 0 for one that is never predicted",
           [](const Evaluation& e) -> Value { return e.macro_precision; }},
    Metric{"macro_recall", "", "mean recall over the classes that occur; 0 for one that is never a label",
           [](const Evaluation& e) -> Value { return e.macro_recall; }},
    Metric{"auc", "",
           "area under the ROC curve of the second class; more than two: mean of each class against the rest",
           [](const Evaluation& e) -> Value { return e.auc; }},
    Metric{"brier", "", "two classes: mean (p - y)^2 of the second class; more: brier_sum",
           [](const Evaluation& e) -> Value { return e.brier; }},
    Metric{"brier_sum", "", "mean over rows of the sum over classes of (p - y)^2",
           [](const Evaluation& e) -> Value { return e.brier_sum; }},
    Metric{"expected_calibration_error", "",
           "mean |accuracy - probability| over 15 bins of the decision's probability",
           [](const Evaluation& e) -> Value { return e.expected_calibration_error; }},
};

}  // namespace

std::span<const Metric> metrics() { return all_metrics; }

}  // namespace lazylogit::eval
