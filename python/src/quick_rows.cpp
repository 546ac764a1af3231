#include "quick_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/model/predictor.hpp"

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

constexpr std::size_t rows_at_once = 256, blocks_of = 4;

template <class Value>
struct Arrays {
  const std::int32_t* ends;  // one more than rows
  const FeatureId* ids;      // as scipy has them: negative ones are large here
  const Value* values;
  std::size_t num_rows, num_entries, num_features;
};

template <class Value>
Arrays<Value> arrays_of(const Array<std::int32_t>& ends, const Array<std::int32_t>& ids,
                        const Array<Value>& values, std::size_t num_features) {
  if (ends.shape(0) == 0 || ids.shape(0) != values.shape(0) || ends.data()[0] != 0 ||
      static_cast<std::int64_t>(ends.data()[ends.shape(0) - 1]) != static_cast<std::int64_t>(ids.shape(0)))
    throw std::invalid_argument("the parts of the sparse matrix do not fit together");
  return {ends.data(),   reinterpret_cast<const FeatureId*>(ids.data()),
          values.data(), ends.shape(0) - 1,
          ids.shape(0),  num_features};
}

// Some rows at a time, their ends checked.
template <class Value>
struct Window {
  std::array<std::uint64_t, rows_at_once + 1> ends;  // from the first entry of the first row on
  const FeatureId* ids = nullptr;
  const Value* values = nullptr;

  void move_to(const Arrays<Value>& x, std::size_t first, std::size_t last) {
    const std::int32_t base = x.ends[first];
    bool ascend = base >= 0;
    ends[0] = 0;
    for (std::size_t r = first; r < last; ++r) {
      ascend &= x.ends[r] <= x.ends[r + 1];
      ends[r - first + 1] = static_cast<std::uint64_t>(std::int64_t{x.ends[r + 1]} - base);
    }
    const auto from = static_cast<std::size_t>(base);
    if (!ascend || from > x.num_entries || ends[last - first] > x.num_entries - from)
      throw std::invalid_argument("the pointers of the sparse matrix do not ascend");
    ids = x.ids + from;
    values = x.values + from;
  }
};

// A value that is not finite makes a score that is not: then the best probability is 1 or NaN.
bool is_odd(const double* p, std::size_t classes) noexcept {
  double best = p[0];
  for (std::size_t c = 1; c < classes; ++c) best = p[c] > best ? p[c] : best;
  return !(best < 1);
}

}  // namespace

template <class Value>
std::optional<Owned> quick_probabilities(const Fitted& fitted, const Array<std::int32_t>& row_ends,
                                         const Array<std::int32_t>& ids, const Array<Value>& values,
                                         std::size_t num_features) {
  const model::Predictor predictor(fitted.model);
  if (fitted.model.kernel != nullptr || !predictor.has_probabilities()) return std::nullopt;
  const Arrays<Value> x = arrays_of(row_ends, ids, values, num_features);
  const std::size_t classes = predictor.num_classes();
  double* out = nullptr;
  Owned array = new_array({x.num_rows, classes}, out);
  const nb::gil_scoped_release release;
  if (num_features > predictor.model().shape.num_features)
    throw std::invalid_argument("the rows have more features than the model");
  constexpr std::size_t block_rows = blocks_of * rows_at_once;
  parallel_blocks(num_blocks_of(x.num_rows, block_rows), [&](std::size_t block) {
    const std::size_t end = std::min((block + 1) * block_rows, x.num_rows);
    Window<Value> window;
    for (std::size_t first = block * block_rows; first < end; first += rows_at_once) {
      const std::size_t count = std::min(rows_at_once, end - first);
      window.move_to(x, first, first + count);
      double* p = out + first * classes;
      if (!predictor.checked_probabilities({window.ends.data(), window.ids, count}, window.values,
                                           num_features, p))
        throw std::invalid_argument("a column index of the sparse matrix is out of range");
      for (std::size_t r = 0; r < count; ++r, p += classes)
        if (is_odd(p, classes)) {
          check_finite(window.values + window.ends[r], window.ends[r + 1] - window.ends[r]);
          if (std::isnan(p[0])) throw model::ScoreOverflow(first + r);
        }
    }
  });
  return array;
}

template std::optional<Owned> quick_probabilities(const Fitted&, const Array<std::int32_t>&,
                                                  const Array<std::int32_t>&, const Array<float>&,
                                                  std::size_t);
template std::optional<Owned> quick_probabilities(const Fitted&, const Array<std::int32_t>&,
                                                  const Array<std::int32_t>&, const Array<double>&,
                                                  std::size_t);

}  // namespace lazylogit::python
