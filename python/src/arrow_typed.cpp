// ArrowRows::typed: columns of numbers and of dictionaries where they lie, texts as codes.
#include <map>
#include <tuple>

#include "arrow.hpp"
#include "arrow_column.hpp"
#include "text_codes.hpp"

namespace lazylogit::python {
namespace {

// The texts of dictionaries; batches mostly have the same one.
class Dictionaries {
 public:
  Dictionaries(const ArrowSchema& schema, const std::string& name) : schema_(&schema), name_(&name) {}

  std::shared_ptr<const data::Alphabet> texts(const ArrowArray& array) {
    const auto buffer = [&](std::int64_t i) { return array.n_buffers > i ? array.buffers[i] : nullptr; };
    const Key key{buffer(1), buffer(2), array.offset, array.length};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    auto texts = std::make_shared<data::Alphabet>();
    const ArrowColumn column(*schema_, array, *name_);
    std::string text;
    for (std::int64_t row = 0; row < array.length; ++row) {
      text.clear();
      column.append_text(row, text);  // nothing for null: a missing cell
      texts->append(text);
    }
    return known_[key] = std::move(texts);
  }

 private:
  using Key = std::tuple<const void*, const void*, std::int64_t, std::int64_t>;
  const ArrowSchema* schema_;
  const std::string* name_;
  std::map<Key, std::shared_ptr<const data::Alphabet>> known_;
};

}  // namespace

// The columns, and what they read.
struct ArrowRows::Typed {
  std::shared_ptr<ArrowBatches> kept;
  std::deque<TextCodes> codes;
  io::TypedTable table;

  // False where codes will not do. `texts`: those of codes that have no dictionary of their own, or null.
  bool add_column(std::size_t c, const std::shared_ptr<const data::Alphabet>& texts) {
    const ArrowSchema& schema = *kept->schema.children[c];
    const std::string& name = kept->names[c];
    io::TypedColumn column{name, {}};
    if (schema.dictionary == nullptr && !is_number(arrow_kind(schema, name))) {
      if (!add_texts(schema, c, column)) return false;
    } else {
      std::optional<Dictionaries> dictionaries;
      if (schema.dictionary != nullptr) dictionaries.emplace(*schema.dictionary, name);
      for (const ArrowArray& batch : kept->batches) {
        const ArrowArray& array = *batch.children[c];
        const ArrowColumn cells(schema, array, name);
        io::TypedPart part;
        part.column = cells.encoded(batch.offset);
        if (dictionaries) {
          if (array.dictionary == nullptr)
            throw std::invalid_argument("column " + name + " has no dictionary");
          part.texts = dictionaries->texts(*array.dictionary);
        }
        if (texts != nullptr) part.texts = texts;
        column.parts.push_back(std::move(part));
      }
    }
    table.columns.push_back(std::move(column));
    return true;
  }

  bool add_texts(const ArrowSchema& schema, std::size_t c, io::TypedColumn& to) {
    constexpr std::size_t some = 4096;
    TextCodes& texts = codes.emplace_back();
    for (const ArrowArray& batch : kept->batches) {
      const ArrowColumn column(schema, *batch.children[c], to.name);
      for (std::int64_t r = batch.offset; r < batch.offset + batch.length; ++r) {
        if (column.is_null(r))
          texts.add_missing();
        else
          texts.add(column.text(r));
        if (texts.size() % some == 0 && texts.are_documents()) return false;
      }
    }
    std::size_t first = 0;
    for (const ArrowArray& batch : kept->batches) {
      to.parts.push_back(texts.part(first));
      first += static_cast<std::size_t>(batch.length);
    }
    return true;
  }

  // What the rows read stays, the texts do not.
  std::optional<Table> owning(std::optional<Table> rows, std::shared_ptr<Typed> self) {
    table = {};
    for (TextCodes& texts : codes) texts.forget_texts();
    if (rows) rows->batches_owner = std::move(self);
    return rows;
  }
};

std::shared_ptr<ArrowRows::Typed> ArrowRows::typed_table() const {
  auto typed = std::make_shared<Typed>();
  typed->kept = kept_;
  for (const ArrowArray& batch : kept_->batches)
    typed->table.batch_rows.push_back(static_cast<std::size_t>(batch.length));
  for (std::size_t c = 0; c < names().size(); ++c) {
    const auto texts = texts_.find(names()[c]);
    if (!typed->add_column(c, texts == texts_.end() ? nullptr : texts->second)) return nullptr;
  }
  return typed;
}

std::optional<Table> ArrowRows::typed(const Options& options) const {
  const std::shared_ptr<Typed> typed = typed_table();
  if (typed == nullptr) return std::nullopt;
  return typed->owning(rows_of_typed(typed->table, options), typed);
}

std::optional<Table> ArrowRows::typed(const Fitted& model) const {
  const std::shared_ptr<Typed> typed = typed_table();
  if (typed == nullptr) return std::nullopt;
  return typed->owning(rows_of_typed(typed->table, model), typed);
}

}  // namespace lazylogit::python
