#include "lazylogit/cli/commands/convert.hpp"

#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/io/convert.hpp"

namespace lazylogit::cli {
namespace {

const config::Table<ConvertOptions>& convert_fields() {
  static const config::Table<ConvertOptions> table = [] {
    config::TableBuilder<ConvertOptions> t;
    t.group("Output");
    t.add_choice({.name = "to", .value = "FORMAT", .help = "format of OUT; auto: by its extension"},
                 &ConvertOptions::to, io::writable_formats());
    return std::move(t).build();
  }();
  return table;
}

}  // namespace

const CommandInfo& Convert::info() const {
  static const CommandInfo info = {
      .name = "convert",
      .arguments = "IN OUT",
      .summary = "between data formats, and to the binary cache",
      .description =
          "Writes the data of IN to OUT as training would see it: categories as columns of zeros and ones, "
          "words as counts, "
          "missing values filled in. A name that ends in .gz or .zst is compressed. What a format cannot "
          "hold is refused. "
          "The labels of x.npy go to x.labels.npy.",
      .examples = {{"convert table.csv table.svm", "csv to libsvm"},
                   {"convert mails.tsv words.npz --lowercase --min-count 3",
                    "documents to scipy's sparse matrix"},
                   {"convert big.svm big.cache",
                    "the binary cache: what training would hold, read without parsing"},
                   {"convert - part.svm.zst --format csv <part.csv", "from standard input, compressed"}},
      .min_arguments = 2,
      .max_arguments = 2};
  return info;
}

void Convert::declare(config::OptionSet& options) {
  options.add(convert_fields(), convert_);
  options.add(io::read_fields(), read_, {"Input", "Columns", "Features", "Limits"});
  options.remove({"choices"});
}

int Convert::execute(const std::vector<std::string>& arguments, Session& session) {
  refuse_standard_input_twice({arguments[0], read_.labels_file});
  const std::vector<std::string> inputs = expanded_names({arguments[0]}, read_.limits);
  const io::ReadSummary summary = with_data_name({arguments[0]}, read_.limits, [&] {
    return io::convert(inputs, arguments[1], convert_.to, read_, session.console, session.cancel);
  });
  session.console.notice(read_summary_text(summary));
  return exit_done;
}

}  // namespace lazylogit::cli
