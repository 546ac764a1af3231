// What learns from a stream: one example at a time, features and classes that come as they come.
//
// Classes are numbered by first appearance. Vectors: while at most two classes are known, one vector that describes the
// second against the first (the second may still be unknown: the first examples push away from it); `symmetric` or, with
// three classes and more under a proper prior, one vector for each; under the uniform prior all but the first class.
// When the third class comes under a proper prior, the one vector b becomes −b/2 and b/2, which changes no probability
// between the two. A new class and a new feature start at the prior's mean.
//
// With several labels in a row (Response::labels) every class is a problem by itself, from the row on that shows it first. A number has
// one vector. Of choices an example is a choice: an outcome for each, one vector, two classes.
//
// A learner's state is one record of `record_width` doubles for each feature, one for the intercept (number num_features),
// and a few named scalars. restore() after grow() makes a learner go on as if it had never stopped, to the bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/optim/stochastic/rules/rule.hpp"
#include "lazylogit/optim/stochastic/schedule.hpp"
#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::optim {

// What happened to a row before it was learned.
struct RowOutcome {
  double loss = 0;       // −log p(label); of a number half the squared error
  bool correct = false;  // the most probable class was the label's; all labels were right
};

using Scalars = std::vector<std::pair<std::string, double>>;

struct OnlineSettings {
  prior::AnyPrior prior;
  bool prior_on_intercept = false;
  bool intercept = true;
  bool symmetric = false;
  bool average = false;             // perceptron
  std::optional<double> rate = {};  // nothing: the learner's own
  Schedule schedule = {.kind = ScheduleKind::constant, .per = DecayPer::example};  // sgd and the rules
  RuleSettings rule_settings = {};
  double forget = 1;  // adf: what is kept of an observation from one example to the next
  data::Response response = data::Response::classes;
  bool choices = false;  // rows are candidates; response is classes, without an intercept
  bool hashed = false;   // features are slots, of which many may never occur
};

// The label of a row, as the response says.
struct OnlineLabel {
  ClassId label = 0;
  double number = 0;
  std::span<const ClassId> set = {};
};

// Rows [first, last) that are the candidates of a choice.
struct OnlineChoice {
  std::size_t first = 0, last = 0, taken = 0;
  double weight = 1;
  std::span<const double> offsets = {};  // of all rows; empty: none
};

class OnlineLearner {
 public:
  virtual ~OnlineLearner() = default;

  // Features [0, num_features) and classes [0, num_classes) may occur from now on; never fewer than before.
  virtual void grow(std::size_t num_features, std::size_t num_classes) = 0;
  // Learns rows in order and appends what happened to each; rows of weight 0 are passed over. Labels are classes.
  // `offset_sign` is 1 when offsets are added to the score of class 1, −1 when to that of class 0; of choices, which of them is that of
  // the taken candidate. Ranges never cut a choice.
  void learn(const data::Rows& rows, std::span<const double> weights, double offset_sign,
             std::vector<RowOutcome>& outcomes) {
    learn_range(rows, {0, rows.num_rows()}, weights, offset_sign, outcomes);
  }
  // The rows [first, last) alone.
  struct Range {
    std::size_t first = 0, last = 0;
  };
  virtual void learn_range(const data::Rows& rows, Range range, std::span<const double> weights,
                           double offset_sign, std::vector<RowOutcome>& outcomes) = 0;

  virtual std::size_t num_features() const = 0;
  // Features from `from` on that may have occurred, ascending, as many as there is room for in `found`; how many, 0 when there are no
  // more. The records of all others are zeros, and so are their coefficients.
  virtual std::size_t find_used(std::size_t from, std::span<std::uint64_t> found) const {
    const std::size_t count = std::min(found.size(), num_features() - std::min(from, num_features()));
    for (std::size_t i = 0; i < count; ++i) found[i] = from + i;
    return count;
  }
  virtual std::size_t num_classes() const = 0;
  virtual std::size_t num_vectors() const = 0;
  virtual bool has_reference() const = 0;  // the first class has no vector
  // The coefficients of a feature (or the intercept) as of now: regularization made up, averages taken. Changes nothing.
  virtual void coefficients(std::size_t feature, double* out) const = 0;
  // Their variances under a belief; false: the learner has none.
  virtual bool variances(std::size_t, double*) const { return false; }
  // The lower triangle of the covariance of all coefficients, row by row, features first, then an intercept if there is one; false:
  // the learner has none. Of learners with one vector.
  virtual bool covariance(std::vector<double>&) const { return false; }

  // Makes a feature's coefficients `b`, known as little as the prior knows them. Before the first example.
  virtual void begin_at(std::size_t feature, const double* b) = 0;

  virtual std::size_t record_width() const = 0;
  virtual const double* record(std::size_t feature) const = 0;
  virtual Scalars scalars() const = 0;
  virtual double* record(std::size_t feature) = 0;
  virtual void restore(const Scalars& scalars) = 0;
};

// The list of online learners.
struct OnlineEntry {
  std::string_view name;
  std::string_view help;
  // A sentence why these settings cannot be used, or nothing.
  std::optional<std::string> (*refuses)(const OnlineSettings& settings);
  std::unique_ptr<OnlineLearner> (*make)(const OnlineSettings& settings);
};
std::span<const OnlineEntry> online_learners();
const OnlineEntry* find_online_learner(std::string_view name);  // null: there is none of this name
bool is_online_only(std::string_view name);  // no optimizer of data in memory has this name

// The value of a scalar; throws InputError when it is not there (a damaged or foreign state).
double scalar(const Scalars& scalars, std::string_view name);

}  // namespace lazylogit::optim
