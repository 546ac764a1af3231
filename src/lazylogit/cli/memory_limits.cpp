#include "lazylogit/cli/memory_limits.hpp"

#include <fmt/format.h>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"
#include "lazylogit/train/kernel_features.hpp"

namespace lazylogit::cli {

void check_memory(const data::Dataset& data, const train::TrainOptions& options, std::uint64_t limit) {
  if (limit == 0) return;
  constexpr double bytes_per_entry = 12;
  const double vectors = 4 * static_cast<double>(options.shards);
  const double classes = data.classes.size() == 2 ? 1 : static_cast<double>(data.classes.size());
  const double need =
      vectors * sizeof(double) * classes * static_cast<double>(data.x.num_features) +
      (is_file_backed(data.x.ids.data()) ? 0  // a mapped cache
                                         : bytes_per_entry * static_cast<double>(data.x.num_nonzeros()));
  if (need <= static_cast<double>(limit)) return;
  throw Error(
      {.kind = ErrorKind::environment,
       .message = fmt::format("{} {} and {} {} need about {} of memory, more than the limit of {}",
                              grouped(data.x.num_features), plural(data.x.num_features, "feature"),
                              grouped(data.classes.size()), plural(data.classes.size(), "class"),
                              amount_text(need, "bytes"), amount_text(static_cast<double>(limit), "bytes")),
       .hint = options.shards > 1
                   ? "each of the --shards has coefficients of its own: fewer of them need less"
                   : "--hash-bits and --min-count make fewer features",
       .option = "max-memory",
       .code = "memory-limit"});
}

void check_kernel_memory(const data::Dataset& data, const train::TrainOptions& options, std::uint64_t limit) {
  const double need = train::kernel_bytes(data, options);
  if (limit == 0 || need <= static_cast<double>(limit)) return;
  throw Error({.kind = ErrorKind::environment,
               .message = fmt::format(
                   "{} rows mapped by the kernel need about {} of memory, more than the limit of {}",
                   grouped(data.num_rows()), amount_text(need, "bytes"),
                   amount_text(static_cast<double>(limit), "bytes")),
               .hint = "--kernel-map nystroem or fourier with a smaller --kernel-size need less",
               .option = "max-memory",
               .code = "memory-limit"});
}

}  // namespace lazylogit::cli
