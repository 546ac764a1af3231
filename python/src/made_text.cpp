#include "made_text.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

class PiecesSource final : public io::ByteSource {
 public:
  explicit PiecesSource(nb::handle make) {
    const nb::gil_scoped_acquire acquire;
    pieces_ = nb::iter(make());
  }
  ~PiecesSource() override {
    const nb::gil_scoped_acquire acquire;
    piece_.reset();
    pieces_.reset();
  }
  PiecesSource(const PiecesSource&) = delete;
  PiecesSource& operator=(const PiecesSource&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    while (at_ == size_ && !ended_) take_next();
    const std::size_t count = std::min(size, size_ - at_);
    std::memcpy(to, bytes_ + at_, count);
    at_ += count;
    consumed_ += count;
    return count;
  }
  std::uint64_t consumed() const noexcept override { return consumed_; }

 private:
  void take_next() {
    const nb::gil_scoped_acquire acquire;
    piece_ = nb::steal(PyIter_Next(pieces_.ptr()));
    at_ = size_ = 0;
    if (!piece_.is_valid()) {
      ended_ = true;
      if (PyErr_Occurred() != nullptr) nb::raise_python_error();
      return;
    }
    if (PyBytes_Check(piece_.ptr()) == 0) throw std::invalid_argument("a piece of the text is no bytes");
    bytes_ = PyBytes_AS_STRING(piece_.ptr());
    size_ = static_cast<std::size_t>(PyBytes_GET_SIZE(piece_.ptr()));
  }

  nb::object pieces_, piece_;
  const char* bytes_ = "";
  std::size_t at_ = 0, size_ = 0;
  bool ended_ = false;
  std::uint64_t consumed_ = 0;
};

}  // namespace

io::Input::Maker made_text(nb::handle make) {
  return [make] { return std::make_unique<PiecesSource>(make); };
}

}  // namespace lazylogit::python
