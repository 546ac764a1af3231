#include "lazylogit/train/prior_covariance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/train/small_csv.hpp"

namespace lazylogit::train {
namespace {

struct Matrix {
  CsvRecord names;
  std::vector<double> values;
  double at(std::size_t i, std::size_t k) const { return values[i * names.size() + k]; }
};

void check_symmetric(const std::string& file, const std::vector<CsvRecord>& records, const Matrix& matrix) {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    if (matrix.at(i, i) > 0 && !std::isfinite(1 / matrix.at(i, i)))
      throw_at(file, records[i + 1][i + 1],
               fmt::format("the variance of {} is too small", quote_text(matrix.names[i].text)),
               "a prior file can pin a coefficient to its mean");
    if (!(matrix.at(i, i) > 0))
      throw_at(file, records[i + 1][i + 1],
               fmt::format("the variance of {} is {}, expected a positive number",
                           quote_text(matrix.names[i].text), matrix.at(i, i)));
    for (std::size_t k = 0; k < i; ++k) {
      const double a = matrix.at(i, k), b = matrix.at(k, i);
      const CsvField& place = records[i + 1][k + 1];
      if (std::abs(a - b) > rounding * std::max(std::abs(a), std::abs(b)))
        throw_at(
            file, place,
            fmt::format("the covariance of {} and {} is {}, but {} in line {}; expected a symmetric matrix",
                        quote_text(matrix.names[i].text), quote_text(matrix.names[k].text), a, b,
                        records[k + 1][0].line));
    }
  }
}

[[noreturn]] void refuse_indefinite(const std::string& file, const Matrix& matrix) {
  // The first feature whose variance, given those before it, is nothing.
  const std::size_t m = matrix.names.size();
  std::vector<double> l(m * m, 0.0);
  std::size_t worst = m - 1;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = matrix.at(i, k);
      for (std::size_t h = 0; h < k; ++h) sum -= l[i * m + h] * l[k * m + h];
      if (k < i)
        l[i * m + k] = sum / l[k * m + k];
      else if (sum <= 1e-12 * matrix.at(i, i))
        worst = i;
      else
        l[i * m + i] = std::sqrt(sum);
    }
    if (l[i * m + i] == 0) break;
  }
  throw_at(file, matrix.names[worst],
           fmt::format(
               "the matrix is not positive definite: {} has no variance left, or less than none, given the "
               "features before it",
               quote_text(matrix.names[worst].text)),
           "expected a covariance matrix");
}

Matrix load_matrix(const std::string& file) {
  const std::vector<CsvRecord> records = load_small_csv(file);
  if (records.empty()) throw_at(file, {{}, 1, 1}, "the file is empty, expected the header feature,NAME,…");
  const CsvRecord& header = records[0];
  if (header[0].text != "feature" || header.size() < 2)
    throw_at(file, header[0], "the header does not begin with \"feature\" and a name",
             "expected feature,NAME,NAME,… and a line per name");
  Matrix matrix;
  matrix.names.assign(header.begin() + 1, header.end());
  const std::size_t m = matrix.names.size();
  if (m > model::max_coupled_features)
    throw_at(file, header[0],
             fmt::format("a covariance of {} features is too large, expected at most {}", m,
                         model::max_coupled_features));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (matrix.names[i].text == matrix.names[k].text)
        throw_at(file, matrix.names[i],
                 "the feature " + quote_text(matrix.names[i].text) + " is named twice");
  if (records.size() != m + 1)
    throw_at(file, records.back()[0],
             fmt::format("found {} after the header, expected {}, one for each feature",
                         counted(records.size() - 1, "line"), m));
  for (std::size_t i = 0; i < m; ++i) {
    const CsvRecord& record = records[i + 1];
    if (record[0].text != matrix.names[i].text)
      throw_at(file, record[0],
               fmt::format("found {}, expected {}: lines come in the order of the columns",
                           quote_text(record[0].text), quote_text(matrix.names[i].text)));
    if (record.size() != m + 1)
      throw_at(file, record[0], fmt::format("{}, expected {}", counted(record.size(), "field"), m + 1));
    for (std::size_t k = 0; k < m; ++k)
      matrix.values.push_back(parse_number(file, record[k + 1], "a covariance", {.allow_negative = true}));
  }
  check_symmetric(file, records, matrix);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < i; ++k) matrix.values[k * m + i] = matrix.at(i, k);
  std::vector<std::size_t> all(m);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (!prior::Coupling::make(matrix.values, std::move(all))) refuse_indefinite(file, matrix);
  return matrix;
}

}  // namespace

void check_prior_covariance(const std::string& file) { load_matrix(file); }

std::optional<prior::Coupling> make_coupling(const model::Shape& shape, std::span<const std::uint64_t> rows,
                                             std::vector<double> covariance) {
  std::vector<std::size_t> coordinates;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (const std::uint64_t row : rows) coordinates.push_back(shape.index(row, v));
  return prior::Coupling::make(std::move(covariance), std::move(coordinates));
}

void apply_prior_covariance(const std::string& file, const CoefficientNames& names, Log& log,
                            prior::PriorTable& table) {
  const Matrix matrix = load_matrix(file);
  const model::Shape& shape = names.shape;
  CoefficientFinder finder(file, names, log);
  struct Member {
    std::uint64_t row;
    std::size_t place;  // in the file
  };
  std::vector<Member> members;
  table.make_per_coordinate();
  const CsvField every_class{.text = "*"};
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    if (matrix.names[i].text == "*")
      throw_at(file, matrix.names[i], "\"*\" names no feature; a covariance needs each by its name");
    std::optional<std::uint64_t> row;
    finder.for_each(matrix.names[i], every_class, [&](std::size_t at) {
      row = at / shape.stride();
      if (table.pinned(at))
        throw_at(file, matrix.names[i],
                 quote_text(matrix.names[i].text) +
                     " is pinned to its mean by the prior file, and has no variance");
    });
    if (row) members.push_back({*row, i});
  }
  finder.finish();
  if (members.empty()) throw_at(file, matrix.names[0], "none of the features occurs in the data");
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.row < b.row; });
  std::vector<std::uint64_t> rows;
  std::vector<double> covariance;
  for (const Member& a : members) {
    rows.push_back(a.row);
    for (const Member& b : members) covariance.push_back(matrix.at(a.place, b.place));
  }
  table.couple(*make_coupling(shape, rows, std::move(covariance)));
}

void scale_coupling(std::span<const double> deviations, const model::Shape& shape, prior::PriorTable& table) {
  const prior::Coupling& coupling = *table.coupling();
  const std::size_t m = coupling.group_size();
  std::vector<std::uint64_t> rows;
  std::vector<double> sigma, covariance = coupling.covariance();
  for (std::size_t k = 0; k < m; ++k) {
    rows.push_back(coupling.coordinates()[k] / shape.stride());
    const double s = rows.back() < shape.num_features ? deviations[rows.back()] : 1.0;
    sigma.push_back(s == 0 ? 1.0 : s);
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < m; ++k) covariance[i * m + k] /= sigma[i] * sigma[k];
  auto scaled = make_coupling(shape, rows, std::move(covariance));
  if (!scaled)
    throw ConfigError("divided by the features' variances, the prior covariance is not positive definite",
                      "prior-covariance");
  table.couple(std::move(*scaled));
}

}  // namespace lazylogit::train
