#include "lazylogit/model/kernel_coordinates.hpp"

#include <Eigen/Dense>

#include "lazylogit/base/error.hpp"

namespace lazylogit::model {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The coefficients of all features but the intercept, a row per feature.
Eigen::Map<RowMajor> feature_rows(Model& model) {
  return {model.coefficients.data(), static_cast<Eigen::Index>(model.shape.num_features),
          static_cast<Eigen::Index>(model.shape.stride())};
}

Eigen::Map<const Eigen::MatrixXd> factor_of(const data::KernelMap& map) {
  const auto size = static_cast<Eigen::Index>(map.num_features());
  return {map.factor.data(), size, size};
}

}  // namespace

Model in_dual_coordinates(Model model) {
  if (model.kernel == nullptr || model.kernel->factor.empty()) return model;
  auto rows = feature_rows(model);
  factor_of(*model.kernel).transpose().triangularView<Eigen::Upper>().solveInPlace(rows);
  auto map = std::make_shared<data::KernelMap>(*model.kernel);
  map->factor.clear();
  model.features = data::kernel_feature_names(*map);
  model.kernel = std::move(map);
  return model;
}

Model in_training_coordinates(Model model) {
  if (model.kernel == nullptr || !model.kernel->prior_of_function || !model.kernel->factor.empty())
    return model;
  auto map = std::make_shared<data::KernelMap>(*model.kernel);
  const std::size_t features = map->num_features();
  std::vector<double> matrix(features * features);
  data::KernelMapper(*map).dense(map->kept, 0, features, matrix.data());
  const auto size = static_cast<Eigen::Index>(features);
  Eigen::Map<Eigen::MatrixXd> kernel(matrix.data(), size, size);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factored(kernel);
  if (factored.info() != Eigen::Success)
    throw InputError({.kind = ErrorKind::input,
                      .message = "the kernel matrix of the model's rows is not positive definite",
                      .code = "kernel"});
  map->factor = std::move(matrix);
  auto rows = feature_rows(model);
  rows = (factor_of(*map).transpose().triangularView<Eigen::Upper>() * rows).eval();
  model.features = data::kernel_feature_names(*map);
  model.kernel = std::move(map);
  return model;
}

RowMapper::RowMapper(const Model& model) {
  if (model.kernel != nullptr) mapper_.emplace(*model.kernel);
}

void RowMapper::operator()(data::Rows& rows) const {
  if (mapper_) rows.x = (*mapper_)(rows.x);
}

}  // namespace lazylogit::model
