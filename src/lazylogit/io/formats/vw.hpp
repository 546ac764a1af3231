// Vowpal Wabbit's text format: labels, importance weights, tags, namespaces (vw_line.hpp has the grammar).
//
// A feature is called "namespace^name", or plain "name" in the default namespace. Its value is 1 unless
// given, times the namespace's scale. A feature that a row repeats has the sum of its values, as in that
// program. The importance becomes the row's weight, the base its offset (two classes only). `--id tag` passes
// the tag through. Blank lines are skipped. Where labels are not required, a row may lack its label.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry vw_format();

}  // namespace lazylogit::io
