// A learner of streams that Python feeds with batches of rows: the program's `train --stream`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fitting.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/stream_trainer.hpp"
#include "reading.hpp"

namespace lazylogit::python {

class Stream {
 public:
  // Throws ConfigError for options that mean nothing in a stream.
  explicit Stream(const Options& options);
  // Goes on from a model: exactly, where it holds the state of this learner.
  static std::unique_ptr<Stream> resume(const Options& options, const Fitted& from);

  // Classes known before their first rows; before the first batch.
  void expect(const std::vector<std::string>& labels);
  // Learns rows in their order. Numbered features are known from their first appearance on, as in a file.
  void learn(const Table& table, const Labelled& y);
  // Learns lines of a text format, read as the program reads a stream of them.
  void learn_bytes(std::string_view bytes, const Options& read);

  const std::vector<std::string>& labels() const {
    return expected_.empty() ? trainer().labels() : expected_;
  }
  // Names of the columns that hold labels and weights, where rows are lines of a table; empty: none.
  const std::string& target() const { return input_.target; }
  const std::string& weight() const { return input_.weight; }
  std::uint64_t num_rows() const { return trainer_ ? trainer_->num_rows() : 0; }
  double log_loss() const;  // of each row before it was learned, on average; NaN before the first

  void save(const std::string& path, bool with_state) const;
  // For predictions: numbered features become columns 1 … num_features. Throws InputError below two classes.
  Fitted model(std::size_t num_features) const;

 private:
  const train::StreamTrainer& trainer() const;
  void begin(const data::InputSpec& input);
  FeatureId column_of(const data::Alphabet& names, FeatureId column, std::vector<FeatureId>& known);

  train::TrainOptions options_;
  data::InputSpec input_;
  io::GrowingNames names_;
  std::unique_ptr<train::StreamTrainer> trainer_;  // nothing before the kind of rows is known
  std::vector<std::string> expected_;              // until there is a trainer
  std::vector<std::string> notices_;
};

}  // namespace lazylogit::python
