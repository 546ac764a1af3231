// How long a fit will still take, as far as its passes tell.
//
// Passes and seconds that were asked for are limits: no fit takes longer, many end before. The certified gap of exact
// optimizers falls about geometrically, in time t as exp(−rt); r is taken from the later half of the time so far, and
// ln(gap/asked gap)/r is what is left. It is no promise, and nothing is said before the gap has halved within that time,
// nor where it has not fallen since.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::cli {

struct TimeLeft {
  double seconds = 0;
  bool at_most = false;      // a limit; else an estimate
  std::string text() const;  // "<= 12 s left", "~ 12 s left"
};

class TimeLeftOfFit {
 public:
  // To be called after each pass; a report that goes back in time begins another fit. Nothing where nothing is known.
  std::optional<TimeLeft> after(const optim::PassReport& report);

 private:
  struct Proof {
    double seconds, gap;
  };
  void learn_gap(const optim::PassReport& report);

  std::vector<Proof> proofs_;  // the gaps that were certified, in order
  std::optional<double> end_;  // when the gap will be what was asked, as the last proof says
  double last_seconds_ = 0;
};

}  // namespace lazylogit::cli
