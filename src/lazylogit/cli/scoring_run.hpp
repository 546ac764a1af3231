// What predict, evaluate and outliers share: an output that is checked before anything is read, the model, and the rows read as
// the model says, block by block in input order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::cli {

class ScoringRun {
 public:
  // `arguments` are MODEL DATA…; an empty `output` is standard output. Throws for files that are not there and for an
  // output that is one of the inputs or cannot be written, then for a damaged model.
  ScoringRun(const std::vector<std::string>& arguments, const std::string& output,
             const io::ReadOptions& read, const model::ContainerLimits& limits, Session& session);

  const model::Model& model() const noexcept { return model_; }
  // A kernel model as it was trained, for what asks about its optimum.
  void use_training_coordinates();
  void write(std::string_view text) { write_result(out_, text); }
  // Hands every block to `use`; ends with Cancelled when the run was interrupted.
  io::ReadSummary for_each_block(const std::function<void(const data::Rows&)>& use);
  // All rows at once.
  data::Rows load(io::ReadSummary& summary) const;
  const std::vector<std::string>& data() const noexcept { return data_; }  // as typed
  // InputError for the data as a whole.
  [[noreturn]] void reject(std::string message) const;
  // Makes the output final, then says what was read.
  void finish(const io::ReadSummary& summary);

 private:
  void use_block(const data::Rows& rows, std::size_t before,
                 const std::function<void(const data::Rows&)>& use) const;

  std::vector<std::string> data_;
  io::ReadOptions read_;  // with the response of the model
  Session& session_;
  OutputFile out_;
  model::Model model_;
};

}  // namespace lazylogit::cli
