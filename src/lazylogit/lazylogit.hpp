// The library in one include, in reading order: bytes → io → data → objective ↔ optim → model → eval.
//
// A first program is examples/cpp/train_and_predict.cpp. The library is silent: it never prints, exits,
// aborts or installs signal handlers; failures are the exceptions of base/error.hpp, messages go to the Log
// that the caller passes.
#pragma once

// Errors, messages, threads, cancellation
#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/base/parallel.hpp"

// Data in memory, and how to get it there
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/io/read_options.hpp"

// Training
#include "lazylogit/train/train_options.hpp"
#include "lazylogit/train/trainer.hpp"

// The model: its file, predictions, explanations
#include "lazylogit/model/explain.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"
