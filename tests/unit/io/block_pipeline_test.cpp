#include "lazylogit/io/block_pipeline.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "lazylogit/base/parallel.hpp"
#include "support/compressed.hpp"

namespace lazylogit::io {
namespace {

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

struct Outcome {
  std::string joined;
  std::string error = "none";
};

Outcome run(const std::string& bytes, std::size_t threads, const BlockPipeline<std::string>::Parse& parse) {
  const ThreadLimit limit(threads);
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("x", bytes));
  TextBlocks blocks(inputs, RecordRule::lines, {}, 16);
  Outcome result;
  try {
    BlockPipeline<std::string> pipeline(blocks, parse, silent_log(), {});
    std::string part;
    while (pipeline.next(part)) result.joined += part;
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

TEST(BlockPipeline, HandsOverInOrderWhateverTheThreads) {
  const std::string text = numbered_lines(2000);
  for (const std::size_t threads : {1u, 2u, 5u})
    EXPECT_EQ(run(text, threads, [](const TextBlock& block, std::string& out) { out = block.text(); }).joined,
              text);
}

TEST(BlockPipeline, TheEarliestFailureWins) {
  const std::string text = numbered_lines(2000);
  Outcome first;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const Outcome result = run(text, threads, [](const TextBlock& block, std::string& out) {
      if (block.first_line > 700) throw std::runtime_error("line " + std::to_string(block.first_line));
      out = block.text();
    });
    if (threads == 1) first = result;
    EXPECT_EQ(result.error.substr(0, 7), "line 70");
    EXPECT_EQ(result.error, first.error);
    EXPECT_EQ(result.joined, first.joined);
  }
}

TEST(BlockPipeline, AReadingFailureComesAfterTheBlocksBeforeIt) {
  const std::string text = numbered_lines(5000);
  const std::string whole = test::gzip(text);
  const std::string cut = whole.substr(0, whole.size() - 4);
  std::string expected;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const Outcome result =
        run(cut, threads, [](const TextBlock& block, std::string& out) { out = block.text(); });
    EXPECT_NE(result.error.find("cut off"), std::string::npos);
    EXPECT_EQ(text.substr(0, result.joined.size()), result.joined);
    if (threads == 1) expected = result.joined;
    EXPECT_EQ(result.joined, expected);
  }
}

// Files, and bytes that one has to wait for.
std::vector<Input> inputs_of(const std::string& text, bool is_file) {
  std::vector<Input> inputs;
  inputs.push_back(is_file ? Input::from_memory("x", text)
                           : Input::from_source("x", make_memory_source(text), {}));
  return inputs;
}

struct Steps {
  std::string followed;                // in the order of the calls
  std::atomic<std::size_t> placed{0};  // bytes
};

TEST(BlockPipeline, FollowsInOrderAndPlacesEverything) {
  const std::string text = numbered_lines(2000);
  for (const bool is_file : {true, false})
    for (const std::size_t threads : {1u, 2u, 5u}) {
      struct Parsed {
        std::string text;
        bool is_handed = false, is_followed = false;
      };
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = inputs_of(text, is_file);
      TextBlocks blocks(inputs, RecordRule::lines, {}, 16);
      Steps steps;
      std::string joined;
      BlockPipeline<Parsed> pipeline(
          blocks, [](const TextBlock& block, Parsed& out) { out = {std::string(block.text())}; },
          {.follow =
               [&](Parsed& parsed) {
                 steps.followed += parsed.is_handed ? parsed.text : "too early";
                 parsed.is_followed = true;
               },
           .place =
               [&](Parsed& parsed) { steps.placed += parsed.is_followed ? parsed.text.size() : 1000000; }},
          silent_log(), {});
      std::size_t calls = 0;
      while (Parsed* const parsed = pipeline.next()) {
        if (++calls % 50 == 0) {  // all but this one
          pipeline.settle();
          EXPECT_EQ(steps.followed, joined);
          EXPECT_EQ(steps.placed.load(), joined.size());
        }
        parsed->is_handed = true;
        joined += parsed->text;
      }
      EXPECT_EQ(joined, text);
      EXPECT_EQ(steps.followed, text);
      EXPECT_EQ(steps.placed.load(), text.size());
    }
}

TEST(BlockPipeline, AFailureAfterABlocksTurnIsSeen) {
  const std::string text = numbered_lines(2000);
  for (const bool follow : {true, false})
    for (const std::size_t threads : {1u, 2u, 5u}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = inputs_of(text, true);
      TextBlocks blocks(inputs, RecordRule::lines, {}, 16);
      const auto fail_if = [](bool now) {
        return [now](std::string& parsed) {
          if (now && parsed.find("700\n") != std::string::npos) throw std::runtime_error("no room");
        };
      };
      BlockPipeline<std::string> pipeline(
          blocks, [](const TextBlock& block, std::string& out) { out = block.text(); },
          {.follow = fail_if(follow), .place = fail_if(!follow)}, silent_log(), {});
      EXPECT_THROW(while (pipeline.next() != nullptr) continue, std::runtime_error);
    }
}

TEST(BlockPipeline, CanBeLeftBeforeTheEnd) {
  const ThreadLimit limit(3);
  const std::string text = numbered_lines(2000);
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("x", text));
  TextBlocks blocks(inputs, RecordRule::lines, {}, 16);
  std::atomic<int> parsed{0};
  {
    BlockPipeline<std::string> pipeline(blocks, [&](const TextBlock&, std::string&) { ++parsed; },
                                        silent_log(), {});
    std::string part;
    ASSERT_TRUE(pipeline.next(part));
  }
  EXPECT_GE(parsed.load(), 1);
}

}  // namespace
}  // namespace lazylogit::io
