// Data read with what a model knows about it.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::cli {

// A model file of which everything is in order, the record of its prior too, which the container does not know.
model::Model load_whole_model(const std::string& file, const model::ContainerLimits& limits);

// What the model fixes about its input; the model must outlive it.
io::FixedNames fixed_names(const model::Model& model);

// All rows, as the model scores them.
data::Rows load_rows(const model::Model& model, const std::vector<std::string>& arguments,
                     const io::ReadOptions& read, Session& session, io::ReadSummary* summary);

// The names that the arguments stand for, globs expanded, "-" as it is; IoError for a file that is not there.
std::vector<std::string> expanded_names(const std::vector<std::string>& arguments, const io::Limits& limits);

// Throws `error` again, with the name of the data when it is about content or a limit and names neither file nor option.
[[noreturn]] void throw_with_name(const Error& error, const std::vector<std::string>& arguments,
                                  const io::Limits& limits);

// The result of `work`, which may know rows but no files; its errors get the name of the data.
template <class Work>
auto with_data_name(const std::vector<std::string>& arguments, const io::Limits& limits, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw_with_name(error, arguments, limits);
  }
}

// "1,234 rows; 5 bad rows skipped; 12 unknown features ignored; …": what a person wants to know after
// reading.
std::string read_summary_text(const io::ReadSummary& summary);

// Integers as people read them: 1,234,567.
std::string grouped(std::uint64_t number);

}  // namespace lazylogit::cli
