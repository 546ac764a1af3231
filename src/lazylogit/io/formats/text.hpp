// Raw text: one document a line, `label<TAB>text`. Features are the document's n-grams, called by themselves.
//
// The label is what stands before the first tab; further tabs belong to the document, which may be empty. A
// first line `label<TAB>text` (any case) is a header and skipped with a notice. Blank lines are skipped.
// Where labels are not required (prediction) a line without a tab is a document without a label; a blank line
// is then an empty document, so that predictions stay beside their lines. Tokens, n-grams and tf-idf:
// io/text/.
#pragma once

#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

// Is this the header line `label<TAB>text`, in any case?
bool is_text_header(std::string_view line);

FormatEntry text_format();

Loaded load_documents(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                      const CancelToken& cancel, std::size_t block_bytes = default_block_bytes);
std::unique_ptr<RowSource> open_documents(std::vector<Input> inputs, const FixedNames& names,
                                          const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
