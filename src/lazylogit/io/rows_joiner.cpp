#include "lazylogit/io/rows_joiner.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/io/optional_column.hpp"

namespace lazylogit::io {
namespace {

template <class T>
void append_typed(Buffer<T>& all, const data::SparseMatrix& part) {
  const std::size_t before = all.size();
  all.resize(before + part.num_nonzeros());
  for (std::size_t k = 0; k < part.num_nonzeros(); ++k) all[before + k] = static_cast<T>(part.value(k));
}

template <class T>
Buffer<T> converted(const data::SparseMatrix& x) {
  Buffer<T> values;
  append_typed(values, x);
  return values;
}

// `all` has its ids from before this part.
void append_values(data::SparseMatrix& all, const data::SparseMatrix& part) {
  if (part.num_nonzeros() == 0) return;
  if (std::holds_alternative<Buffer<double>>(part.values) &&
      !std::holds_alternative<Buffer<double>>(all.values))
    all.values = converted<double>(all);
  if (std::holds_alternative<Buffer<float>>(part.values) &&
      std::holds_alternative<data::OnesValues>(all.values))
    all.values = converted<float>(all);
  std::visit(
      [&]<class V>(V& to) {
        if constexpr (!std::is_same_v<V, data::OnesValues>) {
          if (const V* from = std::get_if<V>(&part.values))
            to.append(from->span());
          else
            append_typed(to, part);
        }
      },
      all.values);
}

}  // namespace

void RowsJoiner::add(const data::Rows& part) {
  const std::size_t before = all_.num_rows(), now = before + part.num_rows();
  const std::size_t entries = all_.x.num_nonzeros();
  append_values(all_.x, part.x);
  all_.x.ids.append(part.x.ids.span());
  for (std::size_t i = 1; i < part.x.row_offsets.size(); ++i)
    all_.x.row_offsets.push_back(entries + part.x.row_offsets[i]);
  all_.labels.append(part.labels.span());
  all_.targets.append(part.targets.span());
  for (std::size_t i = 0; i < part.label_sets.size(); ++i) all_.label_sets.push_back(part.label_sets[i]);
  append_column(all_.weights, part.weights, before, now, 1.0);
  append_column(all_.offsets, part.offsets, before, now, 0.0);
  if (!part.ids.empty() || !all_.ids.empty()) {
    all_.ids.resize(before);
    all_.ids.insert(all_.ids.end(), part.ids.begin(), part.ids.end());
    all_.ids.resize(now);
  }
  for (const std::string& label : part.unknown_labels) {
    if (all_.unknown_labels.size() == data::max_unknown_labels) break;
    if (std::find(all_.unknown_labels.begin(), all_.unknown_labels.end(), label) == all_.unknown_labels.end())
      all_.unknown_labels.push_back(label);
  }
}

data::Rows RowsJoiner::finish(std::size_t num_features) {
  all_.x.num_features = num_features;
  return std::move(all_);
}

}  // namespace lazylogit::io
