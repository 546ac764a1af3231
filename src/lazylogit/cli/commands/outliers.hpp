// lazylogit outliers MODEL DATA…
#pragma once

#include <cstdint>
#include <optional>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/model_limits.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

struct OutlierOptions {
  std::uint64_t top = 20;
  bool all = false;
  bool exact = false;
  std::optional<std::uint64_t> folds;
  std::uint64_t seed = 1;
  bool influence = false;
  std::string form = "csv";  // --output csv | jsonl
};

class Outliers final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  int list_numbers(class ScoringRun& run, Session& session) const;

  io::ReadOptions read_;
  model::ContainerLimits model_limits_;
  OutlierOptions outliers_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
