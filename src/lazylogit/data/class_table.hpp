// The classes of a problem: their labels as shown to users, in their final order.
//
// A label that is a number is its value (`1`, `+1`, `1.0` are one class, shown `1`; integers of any size
// compare exactly); any other label is its text. Classes are ordered numerically where all are numbers, else
// by byte order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/alphabet.hpp"

namespace lazylogit::data {

// The form in which a label is compared and shown. Numbers become their shortest decimal form; text is
// returned as it is. A number that is not finite as a double gives nothing (the reader reports it).
std::optional<std::string> canonical_label(std::string_view token);

class ClassTable {
 public:
  ClassTable() = default;
  // Sorts the (canonical, distinct) labels. `old_to_new[i]` is the class of labels[i].
  static ClassTable from_labels(const std::vector<std::string>& labels, std::vector<ClassId>* old_to_new);
  // Takes labels that are already in their final order (from a model file).
  static ClassTable from_ordered(std::vector<std::string> labels);

  std::size_t size() const noexcept { return labels_.size(); }
  const std::string& label(ClassId c) const noexcept { return labels_[static_cast<std::size_t>(c)]; }
  const std::vector<std::string>& labels() const noexcept { return labels_; }
  // The class of a canonical label, or unknown_class.
  ClassId find(std::string_view canonical) const noexcept;

 private:
  std::vector<std::string> labels_;
  Alphabet index_;
};

}  // namespace lazylogit::data
