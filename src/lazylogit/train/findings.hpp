// What about the data explains how a fit went: which features separate the classes, which slow it down.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// One sentence for a fit that ended by separation: complete or not, the features and the class that separate along the
// direction, and what to do.
std::string separation_message(const Prepared& prepared, const objective::CertificateNames& names,
                               const objective::Separation& separation);

// A sentence about features that differ wildly in scale; empty when they do not.
std::string scale_finding(const Prepared& prepared, const data::Alphabet& names, bool standardized);

// Sentences about constant, duplicate and wildly scaled features; empty when there are none.
std::vector<std::string> slow_features(const Prepared& prepared, const data::Dataset& data,
                                       bool standardized);

}  // namespace lazylogit::train
