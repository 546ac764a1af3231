// The quadratic model of the error about a point, over some coefficients, and its descent by coordinates.
//
// With d the step, D = X d its scores, p the probabilities at the point and w the weights of rows,
//   m(d) = Σ_j w_j [ Σ_c (p_jc − y_jc) D_jc + ½ Σ_c p_jc D_jc² − ½ s_j² ] + prior,     s_j = Σ_c p_jc D_jc,
// which holds the whole curvature of the softmax: nothing is taken from one class at a time. Within class c
//   r_j = w_j (p_jc − y_jc) + w_j p_jc (D_jc − s_j),     a_j = w_j p_jc (1 − p_jc)
// give the derivative Σ_j x_ji r_j of coefficient (i, c) and its curvature Σ_j x_ji² a_j; a change δ of it
// adds a_j x_ji δ to r_j. So a coefficient costs one or two walks along its column. D and s are brought up to
// date when the class is left. Entering and leaving cost a few operations per row.
//
// An intercept without a prior is kept at its best value after every change: if the coefficient moves by δ,
// the intercept moves by −δ A_i/A, A_i = Σ_j x_ji a_j, A = Σ_j a_j. One number z stands for its total change
// (r_j + a_j z is meant where r_j is stored), so this costs nothing and removes what couples every column
// with every other.
//
// The same number z takes up the centers m_i of centred columns, which are never written: a change δ adds −m_i δ to it, and
// Σ_j r_j is kept beside it. Choices couple rows instead of vectors (choice_kernels.hpp).
//
// After the first sweep those visit the coefficients alone that moved last time, and by a part of what is asked for;
// a sweep over all of them ends the descent or finds more to do. Sweeps find out which coefficients rest at their kinks.
// If they then converge slowly, the whole matrix of few coefficients is made (model_matrix.hpp), else conjugate gradients on
// those that do not rest take over.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/score_line.hpp"
#include "lazylogit/optim/coordinate/choice_kernels.hpp"
#include "lazylogit/optim/coordinate/column_kernels.hpp"
#include "lazylogit/optim/coordinate/column_store.hpp"

namespace lazylogit::optim {

// One coefficient of the model. The prior contributes gradient·δ + ½ curvature·δ² + l1 |start + change|.
struct Term {
  std::size_t index = 0;  // in the parameter vector
  FeatureId feature = 0;  // num_features: an intercept with a prior
  std::uint32_t vector = 0;
  double start = 0;   // distance from the prior's mean at the point
  double change = 0;  // since
  double l1 = 0, gradient = 0, curvature = 0;
  double square = 0, cross = 0;  // Σ x² a of the centred column, Σ x a of the column as it is
  double entered = 0;            // `change` when its class was entered
  double moved = 0;              // by the last visit, in units of its own curvature
  bool rests() const noexcept { return l1 > 0 && start + change == 0; }
};

struct FreeIntercept {
  bool present = false;
  double change = 0;
};

struct SweepRule {
  double forcing = 0.2;      // stop when the largest move of a sweep is this fraction of the first sweep's
  double most_sweeps = 100;  // over all terms; those over some of them count in proportion
  double most_work = std::numeric_limits<double>::infinity();  // ModelDescent::work that ends it
  double damping = 0;  // ν: adds ½ ν Σ_j w_j Σ_c D_jc², so that no score moves far where rows are settled
  const objective::RowHolds* holds = nullptr;  // rows that get more of it, vector by vector
};

struct ModelDescent {
  double first = 0;  // the largest move of the first sweep, in units of the coefficient's own curvature
  double last = 0;
  int sweeps = 0;
  bool by_matrix = false;  // at the end
  double work = 0;         // entries of columns walked along, or what costs as much; the matrix apart
};

class QuadraticModel {
 public:
  // `columns` has those of all terms to come. Both must outlive the model.
  QuadraticModel(const ColumnStore& columns, objective::ScoreLine& line, std::size_t num_vectors);

  // Minimizes over `terms` (sorted by vector, changes 0) and the intercepts; leaves D in the line's
  // direction, which must be 0 before. `interrupted` is asked between sweeps.
  ModelDescent minimize(std::vector<Term>& terms, std::vector<FreeIntercept>& intercepts,
                        const SweepRule& rule, const std::function<bool()>& interrupted);

 private:
  enum class Visit { first, all, moving };
  // The coefficients that do not rest, as one vector with the free intercepts behind them (face_descent.cpp).
  struct Face {
    std::vector<Term*> terms;
    std::vector<std::size_t> begins;     // of the terms of each vector
    std::vector<std::size_t> intercept;  // the place of each vector's, beyond the end where there is none
    std::size_t size = 0;                // with the intercepts
  };
  // ν of a row's score in this vector.
  double damping(std::size_t row, std::size_t vector) const noexcept {
    const double* held = holds_->of(row);
    return held == nullptr ? damping_ : damping_ + held[vector];
  }
  // What a term adds to the score of every row: its center taken off, or an intercept.
  double constant_of(const Term& term) const noexcept {
    return term.feature < columns_.num_features() ? -line_.center(term.feature) : 1.0;
  }
  template <class View>
  void face_scores(const View& view, const Face& face, const math::Vector& x);
  template <class View>
  void face_dots(const View& view, const Face& face, std::size_t vector, const math::Vector& y,
                 math::Vector& out);
  template <class View>
  void face_product(const View& view, const Face& face, const math::Vector& x, math::Vector& out);
  // Of `terms`, or of those that do not rest.
  Face face_of(std::vector<Term>& terms, const std::vector<FreeIntercept>& intercepts, bool all) const;
  // The derivatives of the model on the face, without those of kinks; and its curvature in the free intercepts.
  template <class View>
  math::Vector face_gradient(const View& view, const Face& face, std::vector<FreeIntercept>& intercepts,
                             math::Vector* diagonal);
  void take_step(const Face& face, const math::Vector& step, std::vector<FreeIntercept>& intercepts);
  // To the minimum over all terms by their whole matrix. False: that takes more than so many multiplications, or is not
  // of this kind.
  template <class View>
  bool descend_matrix(const View& view, std::vector<Term>& terms, std::vector<FreeIntercept>& intercepts,
                      double precision, double most_products);
  // Until the derivatives on the face have fallen by `forcing`. Returns the largest move.
  template <class View>
  double descend_face(const View& view, std::vector<Term>& terms, std::vector<FreeIntercept>& intercepts,
                      double forcing, const std::function<bool()>& interrupted);
  template <class View>
  double sweep(const View& view, std::vector<Term>& terms, std::vector<FreeIntercept>& intercepts,
               Visit visit);
  template <class View>
  double visit_class(const View& view, std::span<Term> terms, Visit visit);
  bool is_due(const Term& term, Visit visit) const noexcept {
    return visit != Visit::moving || (!term.rests() && term.moved >= least_move_);
  }
  template <class View>
  double improve(const View& view, Term& term, Visit visit);
  // The derivative without the prior's part; at the first visit also square and cross.
  template <class View>
  double slope_of(const View& view, Term& term, Visit visit);
  void enter(std::size_t vector, std::span<Term> terms, FreeIntercept& intercept);
  // r and a of all rows, for the kinds of rows there are.
  void set_choice_records();
  void set_class_records(std::size_t vector);
  void set_records(std::size_t vector);
  template <class View>
  void leave(const View& view, std::size_t vector, std::span<Term> terms, FreeIntercept& intercept);

  const ColumnStore& columns_;
  objective::ScoreLine& line_;
  std::size_t vectors_, rows_;
  std::vector<std::size_t> begins_;  // of the terms of each vector
  std::vector<RowRecord> records_;
  math::Vector step_, mean_;  // the scores of the moves since enter, s
  math::Vector face_scores_, face_residuals_;
  double total_weight_ = 0, shift_ = 0, damping_ = 0;  // A, z, ν
  double sum_ = 0;                                     // Σ r
  double not_free_ = 0;                                // the part of z that is not the free intercept's
  double least_move_ = 0;                              // of terms that sweeps over the moving ones visit
  std::size_t walked_ = 0, entered_ = 0;               // entries of columns; classes; of the last sweep
  double work_ = 0;                                    // ModelDescent::work so far
  const objective::RowHolds* holds_ = nullptr;
  ChoiceMeans choices_;
  const std::function<bool()>* interrupted_ = nullptr;  // while the model is minimized
  bool free_ = false;                                   // the class entered has a free intercept
};

}  // namespace lazylogit::optim
