// What `tune` shows: a line per value while it runs, then a table, a JSON document, a csv for plots.
#pragma once

#include <string>

#include "lazylogit/train/trainer.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::cli {

std::string point_line(const std::string& option, const train::TunePoint& point, std::size_t done,
                       std::size_t of);
std::string point_event(const std::string& option, const train::TunePoint& point, std::size_t done,
                        std::size_t of);

std::string group_step_line(std::size_t step, double log_evidence);
std::string group_step_event(std::size_t step, double log_evidence);

// The values about the best one and the chosen one, and a sentence about the choice.
std::string tuning_text(const train::Tuning& tuning);
// Everything, and what became of the final fit.
std::string tuning_json(const train::Tuning& tuning, const train::TrainResult& result);
std::string tuning_trace(const train::Tuning& tuning);

}  // namespace lazylogit::cli
