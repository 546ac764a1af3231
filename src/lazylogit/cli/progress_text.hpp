// How far a phase is, in words: amounts, rate, time left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lazylogit/base/log.hpp"

namespace lazylogit::cli {

std::string amount_text(double amount, std::string_view unit);  // "231 MB", "1.2 M rows"
std::string duration_text(double seconds);                      // "0.8 s", "12 s", "3:07", "2:03:07"

// "reading: 104 MB of 231 MB, 45 %, 210 MB/s, 1 s left"
std::string progress_text(const Progress& progress, double seconds);
// "reading  [#########...........]  45 %  104 MB  210 MB/s  1 s left", at most width − 1 columns.
std::string progress_bar(const Progress& progress, double seconds, std::size_t width);

}  // namespace lazylogit::cli
