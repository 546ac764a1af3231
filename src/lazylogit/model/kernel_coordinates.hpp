// The two coordinates of a kernel model whose prior is the function's (data/kernel_map.hpp): α, one coefficient per kept
// row, which files hold and predictions are made with; and γ = Lᵀα, in which the model was trained.
#pragma once

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

// The model in α; as it is where it has no factor.
Model in_dual_coordinates(Model model);

// The model in γ, with its factor; as it is where the prior is not the function's.
Model in_training_coordinates(Model model);

// Maps rows as the model's kernel says; does nothing for a model without. The model must outlive it.
class RowMapper {
 public:
  explicit RowMapper(const Model& model);
  void operator()(data::Rows& rows) const;

 private:
  std::optional<data::KernelMapper> mapper_;
};

}  // namespace lazylogit::model
