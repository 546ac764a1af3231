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

// Whether features that are the same in every row are named before the fit: of tables the reader names columns.
bool names_constants(const data::Dataset& data);

// How to do without some features, as far as the format of the data has a way.
std::string remedy_of(const data::Dataset& data);

// A sentence about features that differ wildly in scale; empty when they do not.
std::string scale_finding(const Prepared& prepared, const data::Alphabet& names, bool standardized);

// Sentences about duplicate and wildly scaled features, and about constant ones that were not named before; empty when
// there are none.
std::vector<std::string> slow_features(const Prepared& prepared, const data::Dataset& data,
                                       bool standardized);

}  // namespace lazylogit::train
