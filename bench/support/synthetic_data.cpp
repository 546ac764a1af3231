#include "support/synthetic_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::bench {
namespace {

class Sampler {  // draws from a discrete distribution in constant time (alias method)
 public:
  explicit Sampler(const std::vector<double>& weights) : keep_(weights.size()), other_(weights.size()) {
    double total = 0;
    for (const double w : weights) total += w;
    std::vector<std::size_t> low, high;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      keep_[i] = weights[i] / total * static_cast<double>(weights.size());
      other_[i] = i;
      (keep_[i] < 1 ? low : high).push_back(i);
    }
    while (!low.empty() && !high.empty()) {
      const std::size_t l = low.back(), h = high.back();
      low.pop_back();
      other_[l] = h;
      keep_[h] -= 1 - keep_[l];
      if (keep_[h] < 1) {
        high.pop_back();
        low.push_back(h);
      }
    }
  }
  std::size_t draw(Random& random) const {
    const std::size_t i = random.below(keep_.size());
    return random.uniform() < keep_[i] ? i : other_[i];
  }

 private:
  std::vector<double> keep_;
  std::vector<std::size_t> other_;
};

std::vector<double> zipf(std::size_t size, double exponent, double shift) {
  std::vector<double> p(size);
  double total = 0;
  for (std::size_t i = 0; i < size; ++i)
    total += p[i] = 1 / std::pow(static_cast<double>(i) + 1 + shift, exponent);
  for (double& v : p) v /= total;
  return p;
}

class Writer {
 public:
  explicit Writer(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    flush();
    std::fclose(file_);
  }
  void text(const char* s) { bytes_ += s; }
  template <class Number>
  void number(Number value) {
    char digits[40];
    std::to_chars_result end{};
    if constexpr (std::is_floating_point_v<Number>)
      end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6);
    else
      end = std::to_chars(digits, digits + sizeof digits, value);
    bytes_.append(digits, end.ptr);
  }
  void end_row() {
    bytes_ += '\n';
    if (bytes_.size() > (std::size_t{1} << 20)) flush();
  }

 private:
  void flush() {
    if (std::fwrite(bytes_.data(), 1, bytes_.size(), file_) != bytes_.size()) std::perror("write");
    bytes_.clear();
  }
  std::FILE* file_;
  std::string bytes_;
};

// Documents: a background of Zipf words and a topic that carries the class.
class TextMaker {
 public:
  TextMaker(const SyntheticOptions& options, Random& random)
      : two_(options.kind == Kind::rcv),
        classes_(static_cast<std::size_t>(options.classes)),
        terms_(two_ ? 47236 : 62061),
        mean_tokens_(two_ ? 80 : 86),
        background_(zipf(terms_, 1.05, 20)),
        in_topic_(zipf(topic_terms, 0.8, 3)),
        random_(random) {
    shuffled_.resize(terms_);
    for (std::size_t i = 0; i < terms_; ++i) shuffled_[i] = i;
    for (std::size_t i = terms_ - 1; i > 0; --i) std::swap(shuffled_[i], shuffled_[random.below(i + 1)]);
    for (const double p : zipf(terms_, 1.05, 20))
      idf_.push_back(std::log(1 / std::min(1.0, 1e-7 + 1 - std::pow(1 - p, mean_tokens_))));
    topics_.resize(two_ ? 80 : classes_);
    for (auto& topic : topics_) {
      positive_.push_back(random.uniform() < 0.475);
      topic.resize(topic_terms);
      for (auto& term : topic)
        term = std::min(terms_ - 1, 30 + static_cast<std::size_t>(std::pow(random.uniform(), 2.0) *
                                                                  static_cast<double>(terms_ - 31)));
    }
  }

  void row(Writer& out) {
    const auto length = static_cast<int>(mean_tokens_ * std::exp(0.45 * random_.normal() - 0.1));
    std::size_t topic = random_.below(topics_.size());
    const std::size_t second = random_.below(topics_.size());
    const double share = 0.03 + (two_ ? 0.30 : 0.22) * random_.uniform();
    tokens_.clear();
    for (int i = 0; i < std::max(8, length); ++i) {
      const double u = random_.uniform();
      tokens_.push_back(u < share          ? topics_[topic][in_topic_.draw(random_)]
                        : u < share + 0.04 ? topics_[second][in_topic_.draw(random_)]
                                           : background_.draw(random_));
    }
    std::sort(tokens_.begin(), tokens_.end());
    entries_.clear();
    double squares = 0;
    for (std::size_t i = 0, j = 0; i < tokens_.size(); i = j) {
      while (j < tokens_.size() && tokens_[j] == tokens_[i]) ++j;
      const double value = (1 + std::log(static_cast<double>(j - i))) * idf_[tokens_[i]];
      if (value <= 0) continue;
      entries_.emplace_back(shuffled_[tokens_[i]], value);
      squares += value * value;
    }
    std::sort(entries_.begin(), entries_.end());
    const bool noise = random_.uniform() < 0.02;
    if (two_) {
      out.text(positive_[topic] != noise ? "1" : "-1");
    } else {
      if (noise) topic = random_.below(classes_);
      out.number(topic + 1);
    }
    for (const auto& entry : entries_) {
      out.text(" ");
      out.number(entry.first + 1);
      out.text(":");
      out.number(static_cast<float>(entry.second / std::sqrt(squares)));
    }
    out.end_row();
  }

 private:
  static constexpr std::size_t topic_terms = 300;
  bool two_;
  std::size_t classes_, terms_;
  double mean_tokens_;
  Sampler background_, in_topic_;
  Random& random_;
  std::vector<std::size_t> shuffled_, tokens_;
  std::vector<double> idf_;
  std::vector<std::vector<std::size_t>> topics_;
  std::vector<bool> positive_;
  std::vector<std::pair<std::size_t, double>> entries_;
};

// Clicks: 39 categorical fields of very different sizes, hashed.
class ClickMaker {
 public:
  explicit ClickMaker(Random& random) : random_(random) {
    for (const int size :
         {40,   100,   120,    50,   300,  200,  80,    40,     150, 10,    25,     15,     60,
          1400, 550,   9000,   4000, 300,  20,   12000, 600,    3,   60000, 5200,   800000, 3100,
          26,   11000, 600000, 10,   4900, 2000, 4,     700000, 17,  15,    150000, 90,     100000})
      fields_.emplace_back(zipf(static_cast<std::size_t>(size), 1.1, 1));
  }
  void row(Writer& out) {
    double score = -1.9;
    ids_.clear();
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      std::uint64_t h =
          (f + 1) * 0x9e3779b97f4a7c15ULL ^ (fields_[f].draw(random_) + 1) * 0xc2b2ae3d27d4eb4fULL;
      h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ULL;
      h ^= h >> 32;
      score += 0.28 * Random(h).normal();
      ids_.push_back(h & ((1U << 20) - 1));
    }
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    out.text(random_.uniform() < 1 / (1 + std::exp(-score)) ? "1" : "-1");
    for (const std::uint64_t id : ids_) {
      out.text(" ");
      out.number(id + 1);
      out.text(":1");
    }
    out.end_row();
  }

 private:
  Random& random_;
  std::vector<Sampler> fields_;
  std::vector<std::uint64_t> ids_;
};

template <class Maker>
void write_both(Maker& maker, long rows, const std::string& train_path, const std::string& test_path) {
  {
    Writer out(train_path);
    for (long i = 0; i < rows; ++i) maker.row(out);
  }
  if (test_path.empty()) return;
  Writer out(test_path);
  for (long i = 0; i < rows / 10; ++i) maker.row(out);
}

}  // namespace

void write_synthetic(const SyntheticOptions& options, const std::string& train_path,
                     const std::string& test_path) {
  Random random(options.seed);
  if (options.kind == Kind::ctr) {
    ClickMaker maker(random);
    write_both(maker, options.rows, train_path, test_path);
  } else {
    TextMaker maker(options, random);
    write_both(maker, options.rows, train_path, test_path);
  }
}

}  // namespace lazylogit::bench
