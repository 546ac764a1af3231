#include "lazylogit/io/derived/row_deriver.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint32_t first_node = 0x80000000;
constexpr std::uint32_t not_named = FeatureNumbers::no_id - 1;

std::uint32_t column_called(const data::InputSpec& input, const std::string& name) {
  for (std::size_t c = 0; c < input.columns.size(); ++c)
    if (input.columns[c].name == name) return static_cast<std::uint32_t>(c);
  throw InputError({.message = "derived features are of a column " + quote_text(name) + " that is no feature",
                    .code = "bad-derived"});
}

std::string bin_name(const data::BinSpec& bins, std::size_t k) {
  const std::string low = k == 0 ? "-inf" : fmt::format("{}", bins.edges[k - 1]);
  const std::string high = k == bins.edges.size() ? "inf" : fmt::format("{}", bins.edges[k]);
  return fmt::format("{}=[{},{})", bins.column, low, high);
}

// Products of degree 2 … `degree` of `count` features: C(count + degree, degree) − 1 − count.
double monomials_of(std::size_t count, int degree) {
  double all = 1;
  for (int d = 1; d <= degree; ++d) all *= static_cast<double>(count) / d + 1;
  return all - 1 - static_cast<double>(count);
}

}  // namespace

// A trie of products: from a part, or a product, and one more part to the product of both.
struct RowDeriver::Nodes {
  struct Node {
    std::uint32_t id = not_named;
    std::uint64_t row = 0;  // the last one that has it
  };
  absl::flat_hash_map<std::uint64_t, std::uint32_t> next;
  std::vector<Node> nodes;

  Node& at(const std::vector<std::uint32_t>& path) {
    std::uint32_t code = path.front();
    for (std::size_t i = 1; i < path.size(); ++i) {
      const auto fresh = first_node + static_cast<std::uint32_t>(nodes.size());
      const auto [place, is_new] = next.try_emplace((std::uint64_t{code} << 32) | path[i], fresh);
      if (is_new) nodes.emplace_back();
      code = place->second;
    }
    return nodes[code - first_node];
  }
};

RowDeriver::RowDeriver(const data::InputSpec& input, const data::DerivedSpec& spec,
                       const data::Alphabet& base_names, FeatureNumbers& numbers, const Limits& limits)
    : input_(&input),
      spec_(&spec),
      names_(&base_names),
      numbers_(&numbers),
      limits_(limits),
      base_(input, spec),
      nodes_(std::make_unique<Nodes>()),
      parts_(base_.operands().size()),
      of_column_(input.columns.size(), 0.0) {
  for (const std::vector<std::string>& names : spec.interactions) {
    Term term;
    for (const std::string& name : names) {
      term.operands.push_back(base_.operand(name));
      term.strict.push_back(name == every_column);
    }
    terms_.push_back(std::move(term));
  }
  add_unaries();
}
RowDeriver::~RowDeriver() = default;

void RowDeriver::add_unary(const std::string& name, std::size_t operand) {
  unaries_.push_back({name, operand});
}

void RowDeriver::add_unaries() {
  for (const std::string& column : spec_->logs) {
    log_columns_.push_back(column_called(*input_, column));
    add_unary(log_name(column), base_.operand(log_name(column)));
  }
  for (const std::string& column : spec_->log1ps) {
    log1p_columns_.push_back(column_called(*input_, column));
    add_unary(log1p_name(column), base_.operand(log1p_name(column)));
  }
  for (const data::BinSpec& bins : spec_->bins) {
    bin_columns_.push_back(column_called(*input_, bins.column));
    first_bin_.push_back(static_cast<std::uint32_t>(unaries_.size()));
    for (std::size_t k = bins.drop_first ? 1 : 0; k <= bins.edges.size(); ++k)
      add_unary(bin_name(bins, k), base_.operand(bins_name(bins.column)));
  }
}

void RowDeriver::take_new_names() {
  for (std::size_t id = features_.size(); id < names_->size(); ++id) {
    const std::string_view name = names_->name(static_cast<FeatureId>(id));
    features_.push_back(base_.look_at(name));
    base_ids_.push_back(not_named);
  }
}

void RowDeriver::gather(std::span<const FeatureId> ids, std::span<const double> values) {
  out_.clear();
  for (std::vector<Part>& parts : parts_) parts.clear();
  numeric_.clear();
  std::fill(of_column_.begin(), of_column_.end(), 0.0);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const BaseFeatures::Feature& feature = features_[ids[k]];
    std::uint32_t& id = base_ids_[ids[k]];
    if (id == not_named) id = numbers_->of_base(ids[k], names_->name(ids[k]));
    if (id == FeatureNumbers::no_id)
      ++unknown_base_;
    else
      out_.emplace_back(id, values[k]);
    const Part part{ids[k], values[k], feature.may_be_squared};
    for (std::uint64_t left = feature.operands; left != 0; left &= left - 1)
      parts_[static_cast<std::size_t>(__builtin_ctzll(left))].push_back(part);
    if (!feature.is_numeric) continue;
    if (spec_->polynomial > 1) numeric_.push_back(part);
    if (feature.column >= 0) of_column_[static_cast<std::size_t>(feature.column)] = values[k];
  }
}

void RowDeriver::emit_unary(std::uint32_t unary, double value) {
  if (value == 0) return;
  Unary& feature = unaries_[unary];
  const std::uint32_t code = first_unary + unary;
  if (feature.id == not_named) feature.id = numbers_->of_derived(feature.name, {&code, 1});
  if (feature.id != FeatureNumbers::no_id) out_.emplace_back(feature.id, value);
  if (feature.operand < parts_.size()) parts_[feature.operand].push_back({code, value, false});
}

void RowDeriver::add_logarithms(std::uint64_t number) {
  std::uint32_t unary = 0;
  const auto fail = [&](std::uint32_t column, double value, const char* floor, const char* hint) {
    throw InputError({.message = fmt::format(
                          "row {}: column {} holds {}, which has no logarithm; expected a number above {}",
                          number, quote_text(input_->columns[column].name), value, floor),
                      .hint = hint,
                      .code = "no-logarithm"});
  };
  for (const std::uint32_t column : log_columns_) {
    const double value = of_column_[column];
    if (!(value > 0)) fail(column, value, "0", "--log1p takes ln(1 + x)");
    emit_unary(unary++, std::log(value));
  }
  for (const std::uint32_t column : log1p_columns_) {
    const double value = of_column_[column];
    if (!(value > -1)) fail(column, value, "-1", "");
    emit_unary(unary++, std::log1p(value));
  }
}

void RowDeriver::add_bins() {
  for (std::size_t b = 0; b < spec_->bins.size(); ++b) {
    const data::BinSpec& bins = spec_->bins[b];
    const double value = of_column_[bin_columns_[b]];
    const auto k = static_cast<std::uint32_t>(std::upper_bound(bins.edges.begin(), bins.edges.end(), value) -
                                              bins.edges.begin());
    if (!bins.drop_first)
      emit_unary(first_bin_[b] + k, 1.0);
    else if (k > 0)
      emit_unary(first_bin_[b] + k - 1, 1.0);
  }
}

std::string_view RowDeriver::part_name(std::uint32_t code) const {
  return code >= first_unary ? std::string_view(unaries_[code - first_unary].name) : names_->name(code);
}

// Parts of one operand have no order of their own, and their numbers may be by appearance: columns, then names, decide.
bool RowDeriver::comes_before(std::uint32_t a, std::uint32_t b) const {
  const auto column_of = [&](std::uint32_t code) {
    return code >= first_unary ? -1 : features_[code].column;
  };
  if (column_of(a) != column_of(b)) return column_of(a) < column_of(b);
  const std::string_view x = part_name(a), y = part_name(b);
  if (input_->kind == data::InputKind::indexed && x.size() != y.size()) return x.size() < y.size();
  return x < y;
}

std::string RowDeriver::product_name() const {
  std::vector<std::uint32_t> parts = path_;
  for (std::size_t from = 0; from < parts.size();) {
    std::size_t to = from + 1;
    while (to < parts.size() && operands_[to] == operands_[from]) ++to;
    const auto begin = parts.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to),
              [this](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
    from = to;
  }
  std::string name;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t power = 1;
    if (input_->kind != data::InputKind::named)
      while (i + power < parts.size() && parts[i + power] == parts[i]) ++power;
    if (i > 0) name += '*';
    name += part_name(parts[i]);
    if (power > 1) name += fmt::format("^{}", power);
    i += power;
  }
  if (name.size() > limits_.max_name_bytes)
    throw LimitError({.message = "the name of the product " + quote_text(name) +
                                 " is longer than the limit of " + std::to_string(limits_.max_name_bytes) +
                                 " bytes",
                      .hint = "see --max-name-bytes",
                      .code = "name-too-long"});
  return name;
}

void RowDeriver::fail_overflow(double value) const {
  throw InputError({.message = fmt::format("row {}: the product {} is {}, beyond the range of numbers", row_,
                                           quote_text(product_name()), value),
                    .hint = "scale the columns first",
                    .code = "overflow"});
}

void RowDeriver::fail_too_many() const {
  throw LimitError(
      {.message = fmt::format("row {} has more than {} products of its features, which is the limit", row_,
                              limits_.max_row_features),
       .hint = "see --max-row-features",
       .code = "row-too-long"});
}

void RowDeriver::emit_product(double value) {
  if (++num_products_ > limits_.max_row_features) fail_too_many();
  sorted_ = path_;
  std::sort(sorted_.begin(), sorted_.end());
  Nodes::Node& node = nodes_->at(sorted_);
  if (node.row == row_) return;  // an earlier term has it
  node.row = row_;
  if (node.id == not_named) node.id = numbers_->of_derived(product_name(), sorted_);
  if (node.id == FeatureNumbers::no_id) return;
  if (!std::isfinite(value)) fail_overflow(value);
  if (value == 0) return;  // beneath the smallest number
  out_.emplace_back(node.id, value);
}

// `first`: where the choice begins in an operand that repeats the one before.
void RowDeriver::add_products(const Term& term, std::size_t position, std::size_t first, double value) {
  const std::size_t operand = term.operands[position];
  const std::vector<Part>& parts = parts_[operand];
  const bool is_last = position + 1 == term.operands.size();
  const bool repeats = !is_last && term.operands[position + 1] == operand;
  for (std::size_t k = first; k < parts.size(); ++k) {
    const Part& part = parts[k];
    const bool again = std::find(path_.begin(), path_.end(), part.code) != path_.end();
    const bool is_repeat = position > 0 && term.operands[position - 1] == operand;
    if (again && !(is_repeat && part.may_be_squared && !term.strict[position])) continue;
    path_.push_back(part.code);
    operands_.push_back(operand);
    if (is_last)
      emit_product(value * part.value);
    else
      add_products(term, position + 1, repeats ? k : 0, value * part.value);
    path_.pop_back();
    operands_.pop_back();
  }
}

double RowDeriver::num_monomials(std::span<const FeatureId> ids, std::span<const double> values) {
  if (spec_->polynomial < 2) return 0;
  gather(ids, values);
  return monomials_of(numeric_.size(), spec_->polynomial);
}

void RowDeriver::check_monomials() const {
  const double most = static_cast<double>(limits_.max_row_features);
  if (monomials_of(numeric_.size(), spec_->polynomial) > most) fail_too_many();
}

void RowDeriver::add_monomials(std::size_t first, double value) {
  for (std::size_t k = first; k < numeric_.size(); ++k) {
    path_.push_back(numeric_[k].code);
    operands_.push_back(0);
    const double product = value * numeric_[k].value;
    if (path_.size() > 1) emit_product(product);
    if (path_.size() < static_cast<std::size_t>(spec_->polynomial)) add_monomials(k, product);
    path_.pop_back();
    operands_.pop_back();
  }
}

const std::vector<RowDeriver::Entry>& RowDeriver::derive(std::span<const FeatureId> ids,
                                                         std::span<const double> values,
                                                         std::uint64_t number) {
  constexpr std::size_t most_nodes = std::size_t{1} << 22;
  if (forgets_ && nodes_->nodes.size() > most_nodes) nodes_ = std::make_unique<Nodes>();
  row_ = number;
  num_products_ = 0;
  gather(ids, values);
  add_logarithms(number);
  add_bins();
  path_.clear();
  operands_.clear();
  for (const Term& term : terms_) add_products(term, 0, 0, 1.0);
  if (spec_->polynomial > 1) {
    check_monomials();  // millions of products are counted sooner than made
    add_monomials(0, 1.0);
  }
  return out_;
}

}  // namespace lazylogit::io
