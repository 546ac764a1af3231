// The parts of a data set that tune holds out, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::train {

// settings.folds parts of the rows of positive weight, settings.repeats times, ascending each: at random by the seed, class
// by class (labels: by the rarest of a row; numbers and choices: all alike). A class of a single row is in no part: without
// it the class would have no optimum. Choices stay whole. Says what is uncommon; ConfigError for more folds than rows.
std::vector<std::vector<std::size_t>> deal_folds(const data::Dataset& data, const Prepared& prepared,
                                                 const TuneSettings& settings, std::uint64_t seed, Log& log);

}  // namespace lazylogit::train
