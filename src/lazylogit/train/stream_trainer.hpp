// Learns a model from rows as they come: the learner, the classes by first appearance, progressive validation, and the
// way into a model file and back.
//
// Knows nothing of readers: the caller hands over blocks of rows whose labels are numbered by first appearance
// (data::Rows::unknown_labels names the new ones) and the names of features when a model is written.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/base/output_file.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/safetensors.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/progressive_loss.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::model {
struct StreamedModel;
}

namespace lazylogit::train {

// The learner that the options name: `auto` is adagrad, for numbers adf.
std::string stream_learner(const TrainOptions& options);
// The prior they name; uniform where the learner has none.
prior::AnyPrior stream_prior(const TrainOptions& options);
optim::OnlineSettings online_settings(const TrainOptions& options);

class StreamTrainer {
 public:
  // `options` must have passed check_stream_options and outlive the trainer; so must `input`, which is kept in the model.
  // `learner`: of the kind and settings that the options name, where the caller has one.
  StreamTrainer(const TrainOptions& options, const data::InputSpec& input, std::size_t window,
                std::unique_ptr<optim::OnlineLearner> learner = nullptr);

  // Goes on from a model: exactly, where it holds the state of this learner; else from its coefficients, and `log` is
  // told. Before the first learn(). Throws InputError for a state that does not fit, ConfigError for other options.
  void resume(const model::Model& model, Log& log);
  // Classes that are known before their first rows, which then bring nothing new. Before the first learn().
  void expect(const std::vector<std::string>& labels);
  // The labels known so far, by first appearance.
  const std::vector<std::string>& labels() const noexcept { return labels_; }
  // Labels that --class-weights names and no row had so far.
  std::vector<std::string> weighted_in_vain() const;

  // Learns the rows from `first` on. InputError for offsets with more than two classes, or numbers beyond all bounds.
  // `seen` is called for each of them in order (each choice), with what happened before it was learned. Rows hold whole choices.
  using Seen = std::function<void(const optim::RowOutcome& outcome, double weight)>;
  void learn(const data::Rows& rows, std::size_t first, const Seen& seen = nullptr);

  const optim::ProgressiveLoss& progressive() const noexcept { return progressive_; }
  const optim::OnlineLearner& learner() const noexcept { return *learner_; }
  // Rows learned of this and earlier runs, those of weight 0 included.
  std::uint64_t num_rows() const noexcept { return num_rows_; }

  // Writes the model as it stands; learning may go on. `features` holds at least the names of all features learned
  // (not used when hashed). Throws InputError while there are fewer than two classes.
  void save(const data::Alphabet& features, bool with_state, OutputFile& out,
            const model::ContainerLimits& limits = {}) const;
  // The model as it stands, in memory: without names of features and without state. Throws as save().
  model::Model snapshot() const;
  // What the record of a model saved now says.
  model::TrainingRecord record() const;

 private:
  bool is_number() const;            // labels are numbers, not classes
  bool is_choices() const;           // rows are candidates of choices
  std::size_t least_labels() const;  // of a model
  std::size_t second_label() const;
  std::size_t known_at(const data::Rows& rows, std::size_t row, std::size_t known) const;
  void learn_rows(const data::Rows& rows, std::size_t first);
  void learn_choices(const data::Rows& rows, std::size_t first);
  void weigh(const data::Rows& rows, std::size_t first);
  struct Order;
  Order order() const;
  // What save() writes and snapshot() copies, but for names and state; `order` must outlive it.
  model::StreamedModel describe(const Order& order) const;
  void take_state(const model::Model& model);
  void take_coefficients(const model::Model& model);

  const TrainOptions& options_;
  const data::InputSpec& input_;
  std::string learner_name_;
  std::unique_ptr<optim::OnlineLearner> learner_;
  optim::ProgressiveLoss progressive_;
  std::vector<std::string> labels_;
  std::vector<std::pair<std::string, double>> class_weights_;  // --class-weights, by label
  std::vector<double> factors_;                                // of labels_; empty: all 1
  std::uint64_t num_rows_ = 0;
  std::vector<optim::RowOutcome> outcomes_;
  std::vector<double> weights_;
};

}  // namespace lazylogit::train
