#include "lazylogit/io/token_limit.hpp"

#include <utility>

namespace lazylogit::io {

void check_token_lengths(const TextBlock& block, std::string_view line, const Limits& limits) {
  if (line.size() <= limits.max_field_bytes) return;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] != ' ' && line[i] != '\t') continue;
    if (i - from > limits.max_field_bytes) {
      ErrorDetail detail = block.place(line.data() + from);
      detail.message =
          "a field is longer than the limit of " + std::to_string(limits.max_field_bytes) + " bytes";
      detail.hint = "--max-field-bytes raises it";
      detail.code = "limit";
      throw LimitError(std::move(detail));
    }
    from = i + 1;
  }
}

}  // namespace lazylogit::io
