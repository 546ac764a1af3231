// What a row's label is: the one list that every layer asks.
//
// | response | a label is                | the model gives a row              | −log likelihood of a row                  |
// |----------|---------------------------|------------------------------------|-------------------------------------------|
// | classes  | one class of several      | a probability for each, adding to 1 | −log p(label), softmax of the scores      |
// | number   | a finite number y         | a number f, the score itself       | (y − f)²/2, normal noise of variance 1    |
// | labels   | any of several, or none   | a probability for each by itself   | Σ over labels of −log p, sigmoids of scores |
//
// How labels are read stands in io/label_dictionary, what a row's loss, residual and curvature are in
// objective/row_losses.hpp, what is predicted in model/predictor, which metrics apply in eval.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace lazylogit::data {

enum class Response { classes, number, labels };

struct ResponseEntry {
  Response response;
  std::string_view name;  // in model files
};

inline constexpr std::array<ResponseEntry, 3> responses{
    {{Response::classes, "classes"}, {Response::number, "number"}, {Response::labels, "labels"}}};

constexpr std::string_view response_name(Response response) {
  return responses[static_cast<std::size_t>(response)].name;
}

constexpr std::optional<Response> find_response(std::string_view name) {
  for (const ResponseEntry& entry : responses)
    if (entry.name == name) return entry.response;
  return std::nullopt;
}

}  // namespace lazylogit::data
