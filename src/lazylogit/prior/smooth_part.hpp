// A prior without its L1 part: what joins the smooth part of the error.
#pragma once

#include "lazylogit/prior/elastic_net.hpp"
#include "lazylogit/prior/gaussian.hpp"
#include "lazylogit/prior/laplace.hpp"
#include "lazylogit/prior/uniform.hpp"

namespace lazylogit::prior {

inline Gaussian smooth_part(const ElasticNet& p) noexcept { return {p.l2}; }
inline Uniform smooth_part(const Laplace&) noexcept { return {}; }
template <class P>
P smooth_part(const P& p) noexcept {
  return p;
}

}  // namespace lazylogit::prior
