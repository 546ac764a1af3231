// Expands rows of base features by what a DerivedSpec derives from them: the one place where derived values are computed,
// for training, streams and prediction alike.
//
// A product holds each of its features once, or several times where the operand repeats and squares make sense
// (base_features.hpp); its value is the product of the values. Two terms that give the same product give it once, under
// the name of the first. Cost per product: a lookup in a hash table. Not safe to share between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/io/derived/base_features.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

// Says under which id a feature leaves; no_id: not at all. Asked once per feature, at its first value, so that ids by
// appearance depend on the order of rows alone.
class FeatureNumbers {
 public:
  static constexpr std::uint32_t no_id = 0xFFFFFFFF;
  virtual ~FeatureNumbers() = default;
  virtual std::uint32_t of_base(std::uint32_t base, std::string_view name) = 0;
  // `parts` are the parts of a product in ascending order, or the one number of a logarithm or bin; see RowDeriver.
  virtual std::uint32_t of_derived(std::string_view name, std::span<const std::uint32_t> parts) = 0;
};

class RowDeriver {
 public:
  using Entry = std::pair<std::uint32_t, double>;
  // Parts of products: base features by their number, logarithms and bins from here on.
  static constexpr std::uint32_t first_unary = 0xC0000000;

  // What is referred to must outlive the deriver.
  RowDeriver(const data::InputSpec& input, const data::DerivedSpec& spec, const data::Alphabet& base_names,
             FeatureNumbers& numbers, const Limits& limits);
  ~RowDeriver();

  // To be called after `base_names` has grown, and once before the first row.
  void take_new_names();
  // The features of row `number` (from 1, for errors): base features first, then derived ones in an order that depends on
  // the row alone. InputError for values without a logarithm and products beyond all numbers, LimitError for long rows.
  const std::vector<Entry>& derive(std::span<const FeatureId> ids, std::span<const double> values,
                                   std::uint64_t number);
  // How many products --polynomial makes of a row: C(k + D, D) − 1 − k of its k numeric features.
  double num_monomials(std::span<const FeatureId> ids, std::span<const double> values);
  // Base features of rows so far that left under no id.
  std::uint64_t unknown_base() const noexcept { return unknown_base_; }
  // From now on products that were looked up are forgotten when there are many; not for who numbers them by appearance.
  void bound_memory() noexcept { forgets_ = true; }

 private:
  struct Part {
    std::uint32_t code;
    double value;
    bool may_be_squared;
  };
  struct Term {
    std::vector<std::size_t> operands;
    std::vector<bool> strict;  // no feature twice
  };
  struct Unary {
    std::string name;
    std::size_t operand;
    std::uint32_t id = FeatureNumbers::no_id - 1;  // not asked for yet
  };
  struct Nodes;

  void add_unary(const std::string& name, std::size_t operand);
  void add_unaries();
  void gather(std::span<const FeatureId> ids, std::span<const double> values);
  void check_monomials() const;
  [[noreturn]] void fail_too_many() const;
  void add_logarithms(std::uint64_t number);
  void add_bins();
  void emit_unary(std::uint32_t unary, double value);
  void add_products(const Term& term, std::size_t position, std::size_t first, double value);
  void add_monomials(std::size_t first, double value);
  void emit_product(double value);
  bool comes_before(std::uint32_t a, std::uint32_t b) const;
  std::string product_name() const;
  std::string_view part_name(std::uint32_t code) const;
  [[noreturn]] void fail_overflow(double value) const;

  const data::InputSpec* input_;
  const data::DerivedSpec* spec_;
  const data::Alphabet* names_;
  FeatureNumbers* numbers_;
  Limits limits_;
  BaseFeatures base_;
  std::vector<BaseFeatures::Feature> features_;  // by base feature
  std::vector<std::uint32_t> base_ids_;          // by base feature
  std::vector<Term> terms_;
  std::vector<Unary> unaries_;
  std::vector<std::uint32_t> log_columns_, log1p_columns_;  // their columns in the input
  std::vector<std::uint32_t> bin_columns_, first_bin_;      // likewise, and the unary of the first bin
  std::unique_ptr<Nodes> nodes_;

  // Of the row at hand.
  std::vector<Entry> out_;
  std::vector<std::vector<Part>> parts_;  // by operand
  std::vector<Part> numeric_;
  std::vector<double> of_column_;             // values of numeric columns
  std::vector<std::uint32_t> path_, sorted_;  // parts of the product at hand
  std::vector<std::size_t> operands_;         // of each of path_
  std::uint64_t row_ = 0;
  std::uint64_t num_products_ = 0;  // known or not: what bounds the time of a row
  bool forgets_ = false;
  std::uint64_t unknown_base_ = 0;
};

}  // namespace lazylogit::io
