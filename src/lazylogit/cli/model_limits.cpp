#include "lazylogit/cli/model_limits.hpp"

#include <utility>

namespace lazylogit::cli {

const config::Table<model::ContainerLimits>& model_limit_fields() {
  static const config::Table<model::ContainerLimits> table = [] {
    config::TableBuilder<model::ContainerLimits> t;
    t.group("Limits");
    t.add({.name = "max-header-bytes",
           .value = "SIZE",
           .help = "longest header of a model file, which describes its input and training",
           .bounds = config::at_least(4096),
           .bytes = true},
          &model::ContainerLimits::header_bytes);
    return std::move(t).build();
  }();
  return table;
}

}  // namespace lazylogit::cli
