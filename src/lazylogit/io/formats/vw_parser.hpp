// Turns blocks of VW text into rows; shared by all threads and therefore constant.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/io/formats/pair_index.hpp"
#include "lazylogit/io/formats/vw_line.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

class VwParser {
 public:
  // `options` must outlive the parser. `keep_tags`: they are the rows' ids.
  VwParser(NameResolver resolver, const ReadOptions& options, Precision precision, bool keep_tags)
      : resolver_(resolver), options_(&options), precision_(precision), keep_tags_(keep_tags) {}

  void operator()(const TextBlock& block, RowBlock& out) const;

 private:
  bool parse_line(const TextBlock& block, std::string_view line, PairIndex& index, std::string& name,
                  RowBlock& out) const;
  bool add_quickly(const TextBlock& block, std::string_view text, PairIndex& index, RowBlock& out,
                   bool& ones) const;
  bool add_features(const TextBlock& block, std::string_view text, std::string& name, RowBlock& out,
                    bool& go_on) const;
  bool add_feature(const TextBlock& block, const VwFeatures& features, std::string& name, std::size_t prefix,
                   RowBlock& out, bool& go_on) const;
  const char* excess_feature(const TextBlock& block, std::string_view line, RowBlock& out) const;
  bool end_row(const TextBlock& block, std::string_view line, const VwHead& head, std::uint32_t label,
               RowEnd end, RowBlock& out) const;

  NameResolver resolver_;
  const ReadOptions* options_;
  Precision precision_;
  bool keep_tags_;
};

}  // namespace lazylogit::io
