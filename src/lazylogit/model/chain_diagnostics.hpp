// Do chains agree, and how many independent draws are theirs worth?
//
// Both numbers are of the draws' normal scores (ranks over all chains through the normal quantile function), each chain
// cut into halves (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021): a chain that drifts, or heavy tails, cannot hide.
//   R-hat = √(pooled variance / mean variance within halves); 1 when all agree, above 1.01 is doubtful
//   ESS   = draws / (1 + 2 Σ autocorrelations), summed in pairs as long as they are positive and fall (Geyer)
#pragma once

#include <cstddef>
#include <span>

namespace lazylogit::model {

struct ChainDiagnostics {
  double rhat = 1, ess = 0;
};

// `draws`: chain after chain, all of one length. Draws that are all the same have R-hat 1 and ESS their number.
ChainDiagnostics diagnose_chains(std::span<const float> draws, std::size_t chains);

}  // namespace lazylogit::model
