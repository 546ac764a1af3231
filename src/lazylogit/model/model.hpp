// A trained model: everything needed to predict from raw input, and the record of how it was made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/class_table.hpp"
#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/model/certificate.hpp"
#include "lazylogit/model/held_out_scores.hpp"
#include "lazylogit/model/learner_state.hpp"
#include "lazylogit/model/posterior_approximation.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::data {
struct KernelMap;
}

namespace lazylogit::model {

// How the model was trained; written into the metadata, shown by inspect. Nothing about time or machine.
struct TrainingRecord {
  std::string prior;                // family name as typed
  std::string prior_json;           // {"family": …, "variance": …, …} as one canonical JSON object
  std::string optimizer;            // the one that ran (never "auto")
  std::string termination;          // reason, e.g. "converged"
  std::string termination_message;  // one sentence
  std::uint64_t iterations = 0;
  std::uint64_t passes = 0;  // over the data
  std::uint64_t num_examples = 0;
  double log_likelihood = 0;  // weighted, nats
  double penalty = 0;         // −log prior without its constants
  double log_prior = 0;       // with constants
  std::optional<Certificate> certificate;
  std::string options_json = "{}";  // the training options that differ from the defaults
  double error() const noexcept { return penalty - log_likelihood; }
};

struct Model {
  Shape shape;
  math::Vector coefficients;  // shape.size(), original units
  data::ClassTable classes;
  data::Alphabet features;  // empty when hashed
  data::InputSpec input;
  std::vector<double> idf;
  std::shared_ptr<const data::KernelMap>
      kernel;  // rows are mapped before they are scored; null: they are not
  TrainingRecord record;
  // The prior of each coefficient, when it is not one for all: JSON-free arrays of shape.size(), else empty.
  std::vector<double> prior_mean, prior_a, prior_b;
  // --standardize center with a prior on the intercept, or none: what was taken off each feature's column. The prior acts
  // on the coefficients of such columns, which have another intercept (objective/centering.hpp). Empty: nothing.
  std::vector<double> centers;
  // A common covariance of some features' coefficients in each vector: their rows of the layout, ascending, and the
  // matrix, row by row; empty: none.
  std::vector<std::uint64_t> prior_covariance_rows;
  std::vector<double> prior_covariance;
  std::optional<PosteriorApproximation> posterior;
  std::optional<HeldOutScores> held_out;  // of the rows that training held out
  std::optional<LearnerState> state;      // of an online learner, to go on from

  std::string feature_name(std::size_t feature) const;  // "(intercept)" for the last row, "#17" when hashed
};

// The most features that one prior covariance may have.
inline constexpr std::size_t max_coupled_features = 2048;

inline constexpr const char* intercept_name = "(intercept)";

}  // namespace lazylogit::model
