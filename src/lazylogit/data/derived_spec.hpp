// Features that are computed from others, row by row; kept in the model, applied wherever rows are read.
//
// Order of a row: the features of its columns (imputed, encoded, tf-idf), then logarithms and bins of numeric columns,
// then products, then the norm. All are beside the features they come from, which stay. Names: "log(age)", "log1p(n)",
// "age=[18,25)", "age*job=teacher", "age^2" ("a^x*a^x" in vw, where "^" follows a namespace).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lazylogit::data {

enum class RowNorm { none, l1, l2, max };

// Bin k of a numeric column is [edges[k-1], edges[k]), the first from -inf, the last to inf; edges ascend strictly.
struct BinSpec {
  std::string column;
  std::vector<double> edges;
  bool drop_first = false;  // under the uniform prior the first bin has no feature
};

struct DerivedSpec {
  std::vector<std::string> logs, log1ps;  // numeric columns: ln x (x > 0), ln(1 + x) (x > -1)
  std::vector<BinSpec> bins;
  std::vector<std::vector<std::string>> interactions;  // operands of each product, equal ones side by side
  int polynomial = 1;  // all products of degree 2 … this of numeric features
  RowNorm normalize = RowNorm::none;
  // The first so many features of the model are those of the columns themselves. 0: names do not tell them apart
  // (hashed or streamed), so they are found while rows are read.
  std::uint64_t num_base = 0;

  bool adds_features() const noexcept {
    return !logs.empty() || !log1ps.empty() || !bins.empty() || !interactions.empty() || polynomial > 1;
  }
  bool empty() const noexcept { return !adds_features() && normalize == RowNorm::none; }
};

}  // namespace lazylogit::data
