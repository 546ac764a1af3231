#include "lazylogit/config/option_set.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "lazylogit/base/error.hpp"

namespace lazylogit::config {
namespace {

enum class Colour { red, green };

struct Sample {
  bool quiet = false;
  bool header = true;
  std::uint64_t epochs = 20;
  std::optional<double> rate;
  std::optional<std::uint64_t> explain;
  std::string output;
  std::vector<std::string> ignore;
  Colour colour = Colour::red;
  std::vector<std::string> given;
};

const Table<Sample>& sample_fields() {
  static const Table<Sample> table = [] {
    TableBuilder<Sample> t;
    t.group("All");
    t.add({.name = "quiet", .letter = 'q'}, &Sample::quiet);
    t.add({.name = "no-header", .negated = true}, &Sample::header);
    t.add({.name = "epochs", .value = "N", .bounds = at_least(1)}, &Sample::epochs);
    t.add({.name = "rate", .value = "R", .unset = "chosen", .unset_word = "auto"}, &Sample::rate);
    t.add({.name = "explain", .value = "N", .bare = "5"}, &Sample::explain);
    t.note_given(&Sample::given);
    t.add({.name = "output", .letter = 'o', .value = "FILE"}, &Sample::output);
    t.add({.name = "ignore", .value = "NAME"}, &Sample::ignore);
    t.add_choice({.name = "colour", .value = "C"}, &Sample::colour,
                 std::vector<std::pair<std::string, Colour>>{{"red", Colour::red}, {"green", Colour::green}});
    return std::move(t).build();
  }();
  return table;
}

class ParseArguments : public testing::Test {
 protected:
  std::vector<std::string> parse(std::vector<std::string> arguments) {
    OptionSet options;
    options.add(sample_fields(), sample);
    return parse_arguments(arguments, options);
  }
  std::string failure(std::vector<std::string> arguments) {
    try {
      parse(std::move(arguments));
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().kind, ErrorKind::usage);
      return error.what();
    }
    return "accepted";
  }
  Sample sample;
};

TEST_F(ParseArguments, NotesOptionsThatAreGivenWhateverTheirValue) {
  parse({"--colour", "red", "--epochs", "3", "--ignore", "a"});
  EXPECT_EQ(sample.given, (std::vector<std::string>{"colour", "ignore"}));
}

TEST_F(ParseArguments, TakesValuesAfterASpaceOrAnEqualsSign) {
  parse({"--epochs", "3", "--rate=-0.5"});
  EXPECT_EQ(sample.epochs, 3u);
  EXPECT_EQ(sample.rate, -0.5);
}

TEST_F(ParseArguments, TakesNegativeNumbersAsValues) {
  parse({"--rate", "-2e-3"});
  EXPECT_EQ(sample.rate, -0.002);
}

TEST_F(ParseArguments, AnEmptyValueIsNotTheNextArgument) {
  EXPECT_EQ(failure({"--output=", "data.csv"}),
            "error: option --output: found \"\", expected a value that is not empty");
}

TEST_F(ParseArguments, TakesLettersWithAndWithoutBlank) {
  parse({"-qofile"});
  EXPECT_TRUE(sample.quiet);
  EXPECT_EQ(sample.output, "file");
}

TEST_F(ParseArguments, CollectsLists) {
  parse({"--ignore", "a,b", "--ignore=c\\,d"});
  EXPECT_EQ(sample.ignore, (std::vector<std::string>{"a", "b", "c,d"}));
}

TEST_F(ParseArguments, ANumberThatMayBeLeftOutIsTheNextArgumentWhereThatIsANumber) {
  EXPECT_EQ(parse({"--explain", "data.csv"}), (std::vector<std::string>{"data.csv"}));
  EXPECT_EQ(sample.explain, 5u);
  EXPECT_EQ(parse({"--explain", "./7"}), (std::vector<std::string>{"./7"}));
  EXPECT_EQ(sample.explain, 5u);
  sample = {};
  parse({"--explain=7"});
  EXPECT_EQ(sample.explain, 7u);
  sample = {};
  EXPECT_EQ(parse({"--explain", "7", "x"}), (std::vector<std::string>{"x"}));
  EXPECT_EQ(sample.explain, 7u);
}

TEST_F(ParseArguments, DashIsPositionalAndDoubleDashEndsOptions) {
  EXPECT_EQ(parse({"-", "--", "--epochs", "-x"}), (std::vector<std::string>{"-", "--epochs", "-x"}));
}

TEST_F(ParseArguments, NegatedFlagsSetFalse) {
  parse({"--no-header"});
  EXPECT_FALSE(sample.header);
  parse({"--no-header=false"});
  EXPECT_TRUE(sample.header);
}

TEST_F(ParseArguments, ErrorsNameTheOption) {
  EXPECT_EQ(failure({"--epoch", "3"}), "error: option --epoch: unknown option; did you mean \"--epochs\"?");
  EXPECT_EQ(failure({"--epochs", "0"}),
            "error: option --epochs: found \"0\", expected an integer of at least 1");
  EXPECT_EQ(failure({"--rate", "x"}), "error: option --rate: found \"x\", expected a number or auto");
  EXPECT_EQ(failure({"--colour", "gren"}),
            "error: option --colour: found \"gren\", expected one of red, green; did you mean \"green\"?");
  EXPECT_EQ(failure({"--epochs"}), "error: option --epochs: no value given, expected --epochs N");
  EXPECT_EQ(failure({"--epochs", "1", "--epochs", "2"}),
            "error: option --epochs: given twice, expected once");
}

TEST_F(ParseArguments, HostileNamesAreEscaped) {
  EXPECT_EQ(failure({"--\x1b[2J"}), "error: option --\\x1b[2J: unknown option");
}

TEST_F(ParseArguments, RecordHoldsWhatDiffersFromTheDefaults) {
  parse({"--epochs", "20", "--rate", "0.5", "--ignore", "a", "--colour", "green", "--no-header"});
  EXPECT_EQ(non_defaults_json(sample_fields().fields, &sample),
            R"({"colour":"green","ignore":["a"],"no-header":true,"rate":0.5})");
}

}  // namespace
}  // namespace lazylogit::config
