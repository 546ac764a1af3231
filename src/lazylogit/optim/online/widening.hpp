// The records of an online learner under more vectors: those of a new vector are 0; from one vector b to one for each class,
// coefficients are −b/2 and b/2 and everything else goes to both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lazylogit/optim/online/record_store.hpp"
#include "lazylogit/optim/online/vector_form.hpp"

namespace lazylogit::optim {

class Widening {
 public:
  Widening(const VectorForm& from, const VectorForm& to) noexcept
      : vectors_(from.vectors), split_(from.reference && !to.reference) {}

  // One coefficient of each vector, `stride` apart.
  void coefficients(const double* from, double* to, std::size_t stride = 1) const noexcept {
    for (std::size_t c = 0; c < vectors_; ++c) {
      const double b = from[c * stride];
      to[place(c) * stride] = split_ ? b / 2 : b;
      if (split_) to[0] = 0 - b / 2;
    }
  }
  // One number of another kind of each vector.
  void others(const double* from, double* to, std::size_t stride = 1) const noexcept {
    for (std::size_t c = 0; c < vectors_; ++c) {
      to[place(c) * stride] = from[c * stride];
      if (split_) to[0] = from[c * stride];
    }
  }

 private:
  std::size_t place(std::size_t c) const noexcept { return split_ ? c + 1 : c; }

  std::size_t vectors_;
  bool split_;
};

// Records of `width` from those of `from`, by body(old record, new one).
template <class Body>
RecordStore widened_records(const RecordStore& from, std::size_t width, const Body& body) {
  RecordStore to(width, from.scattered());
  to.grow(from.size());
  std::array<std::uint64_t, 1024> used;
  for (std::size_t next = 0; const std::size_t count = from.find_used(next, used); next = used[count - 1] + 1)
    for (std::size_t i = 0; i < count; ++i) body(from.at(used[i]), to.at(used[i]));
  return to;
}

}  // namespace lazylogit::optim
