#include "lazylogit/eval/ranking.hpp"

#include <algorithm>

#include "lazylogit/math/compensated_sum.hpp"

namespace lazylogit::eval {

std::optional<double> area_under_curve(std::span<RankedRow> rows) {
  // Equal scores are taken together, so their order among each other does not matter.
  std::sort(rows.begin(), rows.end(),
            [](const RankedRow& a, const RankedRow& b) { return a.score < b.score; });
  math::CompensatedSum area, positive, negative;
  for (std::size_t i = 0; i < rows.size();) {
    math::CompensatedSum tied_positive, tied_negative;
    const double score = rows[i].score;
    do {  // one row at least, whatever its score is
      if (rows[i].weight > 0)
        tied_positive.add(rows[i].weight);
      else
        tied_negative.add(-rows[i].weight);
      ++i;
    } while (i < rows.size() && rows[i].score == score);
    area.add(tied_positive.value() * (negative.value() + 0.5 * tied_negative.value()));
    positive.add(tied_positive.value());
    negative.add(tied_negative.value());
  }
  const double pairs = positive.value() * negative.value();
  return pairs > 0 ? std::optional(area.value() / pairs) : std::nullopt;
}

}  // namespace lazylogit::eval
