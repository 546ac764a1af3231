#include "lazylogit/io/text/tfidf.hpp"

#include <cmath>
#include <variant>

namespace lazylogit::io {
namespace {

template <class Value>
void apply_to_rows(data::SparseMatrix& x, Buffer<Value>& values, const std::vector<double>& idf) {
  for (std::size_t i = 0; i < x.num_rows(); ++i) {
    const std::span<const FeatureId> ids = x.row_ids(i);
    apply_tfidf<Value>(ids, {values.data() + x.row_offsets[i], ids.size()}, idf);
  }
}

}  // namespace

double inverse_document_frequency(std::uint64_t num_rows, std::uint64_t document_frequency) noexcept {
  return std::log((1.0 + static_cast<double>(num_rows)) / (1.0 + static_cast<double>(document_frequency))) +
         1.0;
}

template <class Value>
void apply_tfidf(std::span<const FeatureId> ids, std::span<Value> values,
                 const std::vector<double>& idf) noexcept {
  double squares = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const double value = static_cast<double>(values[k]) * idf[ids[k]];
    squares += value * value;
  }
  if (squares == 0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (std::size_t k = 0; k < ids.size(); ++k)
    values[k] = static_cast<Value>(static_cast<double>(values[k]) * idf[ids[k]] * scale);
}
template void apply_tfidf<float>(std::span<const FeatureId>, std::span<float>,
                                 const std::vector<double>&) noexcept;
template void apply_tfidf<double>(std::span<const FeatureId>, std::span<double>,
                                  const std::vector<double>&) noexcept;

void apply_tfidf_to_rows(data::SparseMatrix& x, const std::vector<double>& idf, bool store_double) {
  if (std::holds_alternative<data::OnesValues>(x.values)) {
    if (store_double)
      x.values = Buffer<double>(x.num_nonzeros(), 1.0);
    else
      x.values = Buffer<float>(x.num_nonzeros(), 1.0F);
  }
  if (auto* narrow = std::get_if<Buffer<float>>(&x.values)) apply_to_rows(x, *narrow, idf);
  if (auto* wide = std::get_if<Buffer<double>>(&x.values)) apply_to_rows(x, *wide, idf);
}

std::vector<double> learn_tfidf(data::SparseMatrix& x, bool store_double) {
  std::vector<std::uint64_t> frequency(x.num_features, 0);
  for (const FeatureId id : x.ids) ++frequency[id];
  std::vector<double> idf(x.num_features);
  for (std::size_t f = 0; f < idf.size(); ++f)
    idf[f] = inverse_document_frequency(x.num_rows(), frequency[f]);
  apply_tfidf_to_rows(x, idf, store_double);
  return idf;
}

}  // namespace lazylogit::io
