// Models as files: safetensors (model/safetensors.hpp) whose tensors anyone's library opens and whose every
// byte is checked.
//
// | tensor                                | type, shape                      | when                         |
// |---------------------------------------|----------------------------------|------------------------------|
// | coefficients                          | F64 [features, vectors]          | dense form                   |
// | coefficient_index, coefficient_values | I64 [m], F64 [m]                 | sparse form, where smaller   |
// | intercepts                            | F64 [vectors]                    | the model has one            |
// | class_names, class_name_ends          | U8, I64 [classes]                | always                       |
// | feature_names, feature_name_ends      | U8, I64 [features]               | features are not hashed      |
// | idf                                   | F64 [features]                   | tf-idf                       |
// | prior_mean, prior_a, prior_b          | F64 [features (+ 1), vectors]    | the prior is not one for all |
// | state_records, state_rows             | F64 [m, width], I64 [m]          | the state of a learner       |
// A position in the sparse form is feature · vectors + vector, ascending. Names are UTF-8, one after another, with
// where each ends. The prior's extra row is the intercept's; a and b may be infinite. Metadata: "shape", "input",
// "prior" and "training", each a canonical JSON document. There are no time stamps: the same model gives the same
// bytes. A model with a number that is not finite is never written.
//
// Loading trusts nothing: after the container's checks come the rules of content (finite numbers, positions
// ascending and in range, names distinct and valid UTF-8, sizes that agree). The sparse form may not expand
// to more than 4 MiB plus 1024 times the file; larger ones are written dense. Names are indexed: find() works
// on a loaded model.
#pragma once

#include <span>
#include <string>

#include "lazylogit/model/model.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::model {

// The bytes of the file, in pieces from where they lie. All that may be wrong with a model is found before the first.
void serialize(const Model& model, const ContainerSink& out);
std::string serialize(const Model& model);
// Before training: IoError where what is known of the header exceeds its limit.
void check_header(const data::InputSpec& input, const ContainerLimits& limits);
std::string write_shape_record(const Shape& shape);  // the metadata document "shape"
// `file` is the name for messages. Throws InputError.
Model deserialize(std::span<const char> bytes, const std::string& file, const ContainerLimits& limits = {});

// Atomic (base/output_file.hpp). Throws IoError.
void save_model(const Model& model, const std::string& path);
// Reads the file once, front to back; never maps it. A file that is cut while it is read is an InputError.
// "-" is standard input, <stdin> in messages. Throws IoError when it cannot be read.
Model load_model(const std::string& path, const ContainerLimits& limits = {});

}  // namespace lazylogit::model
