#include "lazylogit/cli/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lazylogit::cli {
namespace {

double fraction(const Progress& p) {
  return p.total == 0 ? 0 : std::min(1.0, static_cast<double>(p.done) / static_cast<double>(p.total));
}

std::string rate_and_rest(const Progress& p, double seconds, std::string_view separator) {
  std::string text;
  const double rate = seconds > 0 ? static_cast<double>(p.done) / seconds : 0;
  if (rate > 0) text += fmt::format("{}{}/s", separator, amount_text(rate, p.unit));
  if (rate > 0 && p.total >= p.done && p.total > 0)
    text += fmt::format("{}{} left", separator, duration_text(static_cast<double>(p.total - p.done) / rate));
  return text;
}

}  // namespace

std::string amount_text(double amount, std::string_view unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T"};
  std::size_t step = 0;
  while (amount >= 1000 && step + 1 < std::size(prefixes)) amount /= 1000, ++step;
  const std::string number = fmt::format("{:.{}f}", amount, amount < 10 && step > 0 ? 1 : 0);
  if (unit == "bytes") return fmt::format("{} {}B", number, prefixes[step]);
  return fmt::format("{}{}{} {}", number, step == 0 ? "" : " ", prefixes[step], unit);
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.{}f} s", seconds, seconds < 0.1 ? 3 : seconds < 1 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string progress_text(const Progress& p, double seconds) {
  std::string text = fmt::format("{}: {}", p.phase, amount_text(static_cast<double>(p.done), p.unit));
  if (p.total > 0)
    text +=
        fmt::format(" of {}, {:.0f} %", amount_text(static_cast<double>(p.total), p.unit), 100 * fraction(p));
  return text + rate_and_rest(p, seconds, ", ");
}

std::string progress_bar(const Progress& p, double seconds, std::size_t width) {
  const std::string numbers = fmt::format("  {}{}", amount_text(static_cast<double>(p.done), p.unit),
                                          rate_and_rest(p, seconds, "  "));
  std::string text(p.phase);
  constexpr std::size_t min_bar = 10, max_bar = 40, frame = 12;
  if (p.total > 0 && width > text.size() + numbers.size() + frame + min_bar) {
    const std::size_t cells = std::min(max_bar, width - text.size() - numbers.size() - frame);
    const auto full = static_cast<std::size_t>(fraction(p) * static_cast<double>(cells));
    text += fmt::format("  [{}{}]  {:3.0f} %", std::string(full, '#'), std::string(cells - full, '.'),
                        100 * fraction(p));
  }
  text += numbers;
  return text.substr(0, width - 1);
}

}  // namespace lazylogit::cli
