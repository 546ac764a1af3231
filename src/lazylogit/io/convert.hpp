// From one data format to another, by way of the encoded matrix.
//
// What is written is what training would see: categories as columns of zeros and ones, n-grams as counts,
// missing values filled in. Values are held as float64 unless the caller says otherwise, so decimal numbers
// come through unchanged. The same table has the same matrix in every format, and a file that convert wrote
// comes back with the same bytes from a detour through another format. What a format cannot hold is refused
// in one sentence.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// The formats that can be written, with "auto" first, for the option --to.
std::vector<std::pair<std::string, Format>> writable_formats();

// The format of an output: `asked`, unless it is automatic; then by the extension. ConfigError when nothing
// can be written in it.
Format output_format(const std::string& path, Format asked);

// A .npy file holds features only; its labels go to a second file: x.npy and x.labels.npy.
std::string labels_path(const std::string& npy_path);

// Writes all rows; names ending in .gz and .zst are compressed. `labels` is for npy and may be nullptr. The
// caller commits.
void write_dataset(const data::Dataset& data, Format format, OutputFile& out, OutputFile* labels, Log& log);

// The whole command: opens the output before it reads, refuses an output that is an input, writes atomically.
ReadSummary convert(const std::vector<std::string>& inputs, const std::string& output, Format format,
                    ReadOptions options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
