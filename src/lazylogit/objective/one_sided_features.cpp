#include "lazylogit/objective/one_sided_features.hpp"

#include <vector>

namespace lazylogit::objective {
namespace {

constexpr std::uint8_t above = 1, below = 2;  // signs of a feature in the rows of a class

// By feature, then by class.
std::vector<std::uint8_t> signs_of(const Problem& problem) {
  const std::size_t classes = problem.shape.num_classes;
  std::vector<std::uint8_t> signs(problem.shape.num_features * classes, 0);
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      if (problem.weight(j) == 0) continue;
      const auto label = static_cast<std::size_t>(problem.labels[j]);
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double x = row.value(k);
        if (x != 0) signs[row.ids[k] * classes + label] |= x > 0 ? above : below;
      }
    }
  });
  return signs;
}

// Which classes' scores go up with the feature: 1, the others 0; nothing where no change of them is harmless.
bool raised_classes(std::span<const std::uint8_t> signs, std::vector<std::uint8_t>& raised) {
  std::size_t ups = 0, downs = 0;
  for (const std::uint8_t sign : signs) {
    if (sign == (above | below)) return false;
    ups += sign == above ? 1 : 0;
    downs += sign == below ? 1 : 0;
  }
  if (ups == signs.size() || downs == signs.size() || ups + downs == 0) return false;
  for (std::size_t c = 0; c < signs.size(); ++c) raised[c] = ups > 0 ? signs[c] == above : signs[c] != below;
  return true;
}

}  // namespace

std::optional<math::Vector> one_sided_direction(const Problem& problem, std::span<const std::uint8_t> free) {
  constexpr std::size_t most_signs = std::size_t{1} << 28;
  const model::Shape& shape = problem.shape;
  if (shape.num_features > most_signs / shape.num_classes) return std::nullopt;
  const std::vector<std::uint8_t> signs = signs_of(problem);
  std::vector<std::uint8_t> raised(shape.num_classes);
  math::Vector direction(shape.size(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < shape.num_features; ++i) {
    if (!raised_classes({signs.data() + i * shape.num_classes, shape.num_classes}, raised)) continue;
    const double zero = shape.reference ? raised[static_cast<std::size_t>(*shape.reference)] : 0;
    bool may = true;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      may = may &&
            (raised[static_cast<std::size_t>(shape.class_of(v))] == zero || free[shape.index(i, v)] != 0);
    if (!may) continue;
    any = true;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      direction[shape.index(i, v)] = raised[static_cast<std::size_t>(shape.class_of(v))] - zero;
  }
  if (!any) return std::nullopt;
  return direction;
}

}  // namespace lazylogit::objective
