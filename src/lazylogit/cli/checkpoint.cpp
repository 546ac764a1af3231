#include "lazylogit/cli/checkpoint.hpp"

namespace lazylogit::cli {

bool Checkpoint::due(std::uint64_t rows) {
  if (!wanted()) return false;
  const auto now = Clock::now();
  const bool by_rows = options_.checkpoint_rows && rows - last_rows_ >= *options_.checkpoint_rows;
  if (!by_rows && std::chrono::duration<double>(now - last_).count() < options_.checkpoint_seconds)
    return false;
  last_rows_ = rows;
  return true;
}

void Checkpoint::write(const std::function<void(OutputFile&)>& save) {
  OutputFile out(options_.checkpoint);
  save(out);
  out.commit();
  last_ = Clock::now();
}

}  // namespace lazylogit::cli
