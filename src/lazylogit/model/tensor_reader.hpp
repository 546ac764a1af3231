// Taking a container's tensors and metadata apart: what is absent, of the wrong shape or not a number is refused with its
// place in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/model/json_fields.hpp"
#include "lazylogit/model/safetensors.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::model {

enum class Finite { required, infinity_is_fine };
enum class Distinct { required, not_needed };

class TensorReader {
 public:
  // Both must outlive the reader.
  TensorReader(const Container& container, const std::string& file)
      : container_(container), file_(file), newer_(container.version.minor > current_format.minor) {}

  const Container& container() const noexcept { return container_; }
  bool newer() const noexcept { return newer_; }  // a newer minor version wrote the file
  const Tensor* find(std::string_view name) const noexcept { return container_.find(name); }
  [[noreturn]] void refuse(std::uint64_t byte, std::string message) const;
  JsonPlace place(std::string document) const { return {&file_, std::move(document), newer_}; }
  const std::string& metadata(const char* key) const;  // must be there

  // A tensor that must be there, of this type and shape.
  const Tensor& require(const char* name, TensorType type, const std::vector<std::uint64_t>& extents) const;
  void copy_numbers(const Tensor& tensor, double* out, Finite finite) const;
  // A list of integers, ascending and below `end`; nothing else.
  std::vector<std::uint64_t> positions(const char* name, std::uint64_t end) const;
  // A number per coefficient, the intercept's included, spread over the padded layout; empty when there is no such
  // tensor.
  std::vector<double> per_coefficient(const char* name, const Shape& shape, Finite finite) const;
  // Tensors "<what>_names" and "<what>_name_ends": names one after another with ascending ends, valid UTF-8 each, no two
  // the same. Where that is not needed, they have no index.
  data::Alphabet name_table(const std::string& what, std::uint64_t count,
                            Distinct distinct = Distinct::required) const;
  // Hashed features are called "#0", "#1", …: the slots in use, ascending.
  void check_slots(const std::string& what, const data::Alphabet& names, int hash_bits) const;

  // Spreads unpadded rows over a padded array.
  static void spread(const std::vector<double>& packed, const Shape& shape, double* padded);

 private:
  const Container& container_;
  const std::string& file_;
  bool newer_;
};

}  // namespace lazylogit::model
