#include "lazylogit/optim/stochastic/dual_ascent.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "lazylogit/data/row_length.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/stochastic/logistic_dual.hpp"
#include "lazylogit/optim/stochastic/row_entries.hpp"
#include "lazylogit/optim/stochastic/row_order.hpp"
#include "lazylogit/optim/stochastic/softmax_dual.hpp"

namespace lazylogit::optim {
namespace {

double shared_variance(const prior::PriorTable& prior) {
  return 1 / std::get<prior::Gaussian>(prior.shared_prior()).precision;
}

// Epochs of visits to the rows of a dual.
template <class Dual>
class Ascent {
 public:
  explicit Ascent(const FitRequest& request)
      : request_(request),
        clock_(request),
        problem_(request.problem),
        order_(problem_),
        entries_(*problem_.x),
        dual_(problem_, shared_variance(*problem_.prior), request.start) {}

  DualAscent operator()(std::uint64_t most_epochs) {
    // Another epoch costs less than the step of an exact optimizer that it may save.
    constexpr double slow = 0.7, part_of_gap = 0.2;
    DualAscent result;
    double before = std::numeric_limits<double>::infinity(), error = before;
    for (std::uint64_t epoch = 0; epoch < most_epochs; ++epoch) {
      if (epoch > 0) dual_.end_epoch();
      DualSums sums;
      if (!ascend(epoch, sums)) return {};
      ++result.epochs;
      const double ratio = sums.gap / before;
      error = sums.loss + dual_.penalty();
      before = sums.gap;
      if (epoch > 0 && (ratio > slow || sums.gap * ratio <= part_of_gap * request_.gap * error)) break;
    }
    if (!(error < error_at_zero())) return {};  // a few long rows among many short ones
    if (request_.own_start != nullptr)
      result.coefficients = std::move(*request_.own_start);
    else
      result.coefficients.assign(request_.start.begin(), request_.start.end());
    dual_.write(result.coefficients);
    return result;
  }

 private:
  // One epoch; false: the caller wants an end.
  bool ascend(std::uint64_t epoch, DualSums& sums) {
    constexpr std::size_t stretch = 256, ahead = 3;
    order_.shuffle(epoch);
    const std::span<const std::uint64_t> rows = order_.rows();
    return problem_.x->visit_rows([&](const auto& view) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (k % stretch == 0 && clock_.interrupted()) return false;
        if (k + 2 * ahead < rows.size()) entries_.prefetch_place(rows[k + 2 * ahead]);
        if (k + ahead < rows.size()) entries_.prefetch(rows[k + ahead]);
        if (k + 1 < rows.size()) dual_.prefetch(entries_.row(rows[k + 1]));
        dual_.visit(view.row(rows[k]), rows[k], sums);
      }
      return true;
    });
  }
  double error_at_zero() const {
    double weight = 0;
    for (std::size_t j = 0; j < problem_.x->num_rows(); ++j) weight += problem_.weight(j);
    return weight * std::log(static_cast<double>(problem_.shape.num_classes));
  }

  const FitRequest& request_;
  FitClock clock_;
  const objective::Problem& problem_;
  RowOrder order_;
  EntryTable entries_;
  Dual dual_;
};

}  // namespace

bool dual_ascent_pays(const objective::Problem& problem) {
  constexpr double longest = 4;
  constexpr std::size_t most_numbers = std::size_t{1} << 28;  // 1 GiB of distributions
  const model::Shape& shape = problem.shape;
  const bool two = shape.reference && shape.num_classes == 2;
  const bool several = !shape.reference && shape.num_vectors() > 2;
  if (shape.response != data::Response::classes || !(two || several) || !problem.choice_ends.empty() ||
      !problem.centers.empty() || !problem.offsets.empty() || problem.x->num_rows() == 0 ||
      problem.x->num_rows() > most_numbers / shape.num_vectors())
    return false;
  const auto* gaussian = std::get_if<prior::Gaussian>(&problem.prior->shared_prior());
  if (gaussian == nullptr || !problem.prior->shared() || !(gaussian->precision > 0)) return false;
  double squares = 0;
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j)
      squares += problem.weight(j) * data::squared_length(rows.row(j));
  });
  return squares <= longest * gaussian->precision * static_cast<double>(problem.x->num_rows());
}

DualAscent ascend_dual(const FitRequest& request, std::uint64_t most_epochs) {
  const bool two = request.problem.shape.reference.has_value();
  return two ? Ascent<LogisticDual>(request)(most_epochs) : Ascent<SoftmaxDual>(request)(most_epochs);
}

}  // namespace lazylogit::optim
