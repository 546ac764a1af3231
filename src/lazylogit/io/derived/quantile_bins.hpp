// --bins: edges at quantiles of the training rows.
//
// With the values present v_1 ≤ … ≤ v_n the edges are those v_⌈kn/N⌉+1, k = 1 … N-1, that lie above the smallest value,
// each once: every bin holds rows, and equal values share a bin. Cells that were missing do not count. With example weights
// a row of weight 2 counts as two rows: the k-th edge is the first value up to which the weights add up to more than kW/N,
// W being all of them (than ⌈kW/N⌉ where they are whole numbers); rows of weight 0 do not count.
#pragma once

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

// `weights` is empty, or has one for each value.
std::vector<double> quantile_edges(std::vector<double> values, std::vector<double> weights, int num_bins);

// Fills the edges of spec.bins, which plan_derived made from the same options.
void learn_bins(const data::Dataset& data, const DerivedOptions& options, bool drop_first,
                data::DerivedSpec& spec, Log& log);

}  // namespace lazylogit::io
