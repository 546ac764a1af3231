// --class-weights: a factor for the examples of each class.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/class_table.hpp"

namespace lazylogit::train {

// Header and numbers of a file of class weights, before there is data. Throws InputError with the place.
void check_class_weights(const std::string& file);

// The factors of such a file by canonical label, later lines last.
std::vector<std::pair<std::string, double>> load_class_weights(const std::string& file);

// One factor per class; empty when `choice` is empty. "balanced": W/(k W_c), so that all classes count alike
// and the total stays W. Otherwise a csv file with the header `class,weight`; classes it leaves out have 1.
// Throws InputError with the place for unknown classes and bad numbers.
std::vector<double> class_weights(const std::string& choice, const data::ClassTable& classes,
                                  std::span<const ClassId> labels, std::span<const double> weights);

}  // namespace lazylogit::train
