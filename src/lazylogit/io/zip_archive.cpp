#include "lazylogit/io/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/free_expansion.hpp"
#include "lazylogit/io/zip_limits.hpp"

namespace lazylogit::io {
namespace {

// Record signatures and fixed sizes of APPNOTE.TXT 6.3.
constexpr std::uint64_t local_signature = 0x04034b50, local_bytes = 30;
constexpr std::uint64_t entry_signature = 0x02014b50, entry_bytes = 46;
constexpr std::uint64_t end_signature = 0x06054b50, end_bytes = 22;
constexpr std::uint64_t end64_signature = 0x06064b50, end64_bytes = 56;
constexpr std::uint64_t locator_signature = 0x07064b50, locator_bytes = 20;
constexpr std::uint64_t flag_encrypted = 1, flag_descriptor = 8;
constexpr std::uint64_t method_stored = 0, method_deflated = 8, zip64_extra = 1;
constexpr std::uint64_t max_members = 4096;  // a .npz file has a handful; look-ups are linear
constexpr std::size_t inflate_piece = std::size_t{1} << 20;

}  // namespace

struct ZipArchive::Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

ZipArchive::ZipArchive(std::string_view bytes, std::string file, std::uint64_t max_expansion)
    : bytes_(bytes), file_(std::move(file)), max_expansion_(max_expansion) {
  const Directory directory = find_directory();
  std::uint64_t offset = directory.offset;
  const std::uint64_t end = directory.offset + directory.size;
  for (std::uint64_t i = 0; i < directory.entries; ++i) offset = read_entry(offset, end);
  if (offset != end) reject(offset, "the zip directory has more bytes than entries");
  check_layout(directory.offset);
}

void ZipArchive::reject(std::uint64_t offset, const std::string& message) const {
  throw InputError({.message = message, .file = file_, .byte = offset, .code = "bad-archive"});
}

std::uint64_t ZipArchive::number(std::uint64_t offset, int width) const {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i)
    value |=
        static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[offset + static_cast<std::uint64_t>(i)]))
        << (8 * i);
  return value;
}

void ZipArchive::need(std::uint64_t offset, std::uint64_t size, const char* what) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset)
    reject(std::min<std::uint64_t>(offset, bytes_.size()), fmt::format("the archive is cut off in {}", what));
}

// The end record stands at the end, before a comment of at most 64 KiB whose length it tells.
ZipArchive::Directory ZipArchive::find_directory() const {
  if (bytes_.size() < end_bytes) reject(0, "this is not a zip archive, or it is cut off");
  std::uint64_t end = bytes_.size() - end_bytes;
  const std::uint64_t lowest = end > zip_max16 ? end - zip_max16 : 0;
  while (number(end, 4) != end_signature || end + end_bytes + number(end + 20, 2) != bytes_.size()) {
    if (end == lowest) reject(0, "this is not a zip archive, or it is cut off: it has no end record");
    --end;
  }
  Directory directory{
      .offset = number(end + 16, 4), .size = number(end + 12, 4), .entries = number(end + 10, 2)};
  std::uint64_t disks = number(end + 4, 2) | number(end + 6, 2);
  std::uint64_t directory_end = end;
  if (end >= locator_bytes && number(end - locator_bytes, 4) == locator_signature) {
    const std::uint64_t end64 = number(end - locator_bytes + 8, 8);
    need(end64, end64_bytes, "the ZIP64 end record");
    if (number(end64, 4) != end64_signature) reject(end64, "the ZIP64 end record is damaged");
    disks = number(end64 + 16, 4) | number(end64 + 20, 4);
    directory = {
        .offset = number(end64 + 48, 8), .size = number(end64 + 40, 8), .entries = number(end64 + 32, 8)};
    directory_end = end64;
  }
  if (disks != 0) reject(end, "archives of several disks are not supported");
  need(directory.offset, directory.size, "the directory");
  if (directory.offset + directory.size != directory_end)
    reject(end, "the zip directory does not end where the end record begins");
  if (directory.entries > max_members)
    reject(end, fmt::format("the archive has {} members, more than the limit of {}", directory.entries,
                            max_members));
  if (directory.entries > directory.size / entry_bytes)
    reject(end, fmt::format("the zip directory cannot hold {} entries", directory.entries));
  return directory;
}

std::uint64_t ZipArchive::read_entry(std::uint64_t offset, std::uint64_t end) {
  if (end - offset < entry_bytes || number(offset, 4) != entry_signature)
    reject(offset, "an entry of the zip directory is damaged");
  const std::uint64_t flags = number(offset + 8, 2), method = number(offset + 10, 2);
  const std::uint64_t name_size = number(offset + 28, 2), extra_size = number(offset + 30, 2);
  const std::uint64_t next = offset + entry_bytes + name_size + extra_size + number(offset + 32, 2);
  if (next > end) reject(offset, "an entry of the zip directory is longer than the directory");
  ZipMember member;
  member.name = std::string(bytes_.substr(offset + entry_bytes, name_size));
  const std::string shown = quote_text(member.name);
  if ((flags & flag_encrypted) != 0) reject(offset, "member " + shown + " is encrypted");
  if (method != method_stored && method != method_deflated)
    reject(offset, fmt::format("member {} is compressed by method {}; expected stored (0) or deflated (8)",
                               shown, method));
  member.deflated = method == method_deflated;
  member.crc = static_cast<std::uint32_t>(number(offset + 16, 4));
  member.stored_size = number(offset + 20, 4);
  member.size = number(offset + 24, 4);
  std::uint64_t local = number(offset + 42, 4);
  apply_zip64(member, local, offset + entry_bytes + name_size, extra_size);
  if (!member.deflated && member.size != member.stored_size)
    reject(offset, "member " + shown + " is stored, but its two sizes differ");
  locate_data(member, local);
  if (find(member.name) != nullptr) reject(offset, "member " + shown + " is repeated");
  members_.push_back(std::move(member));
  local_offsets_.push_back(local);
  return next;
}

// Fields that are all ones in the entry stand in the ZIP64 extra field, in this order.
void ZipArchive::apply_zip64(ZipMember& member, std::uint64_t& local, std::uint64_t extra,
                             std::uint64_t extra_size) const {
  const std::uint64_t end = extra + extra_size;
  while (end - extra >= 4) {
    const std::uint64_t id = number(extra, 2), size = number(extra + 2, 2);
    extra += 4;
    if (size > end - extra) reject(extra, "an extra field of the zip directory is cut off");
    if (id == zip64_extra) {
      std::uint64_t at = extra;
      for (std::uint64_t* field : {&member.size, &member.stored_size, &local}) {
        if (*field != zip_max32) continue;
        if (at + 8 > extra + size) reject(extra, "a ZIP64 field of the zip directory is cut off");
        *field = number(at, 8);
        at += 8;
      }
    }
    extra += size;
  }
}

void ZipArchive::locate_data(ZipMember& member, std::uint64_t local) const {
  need(local, local_bytes, "a member's header");
  if (number(local, 4) != local_signature) reject(local, "a member's header is damaged");
  const std::uint64_t name_size = number(local + 26, 2), extra_size = number(local + 28, 2);
  need(local + local_bytes, name_size + extra_size, "a member's header");
  if (bytes_.substr(local + local_bytes, name_size) != member.name)
    reject(local, "the name in a member's header differs from the directory's " + quote_text(member.name));
  const std::uint64_t method = number(local + 8, 2), flags = number(local + 6, 2);
  if (method != (member.deflated ? method_deflated : method_stored))
    reject(local,
           "the method in the header of member " + quote_text(member.name) + " differs from the directory's");
  if ((flags & flag_descriptor) == 0 && number(local + 14, 4) != member.crc)
    reject(local, "the checksum in the header of member " + quote_text(member.name) +
                      " differs from the directory's");
  member.data_offset = local + local_bytes + name_size + extra_size;
  need(member.data_offset, member.stored_size, "a member's data");
}

void ZipArchive::check_layout(std::uint64_t directory) const {
  std::vector<std::size_t> order(members_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return local_offsets_[a] < local_offsets_[b]; });
  std::uint64_t free_from = 0;
  for (const std::size_t i : order) {
    if (local_offsets_[i] < free_from) reject(local_offsets_[i], "two members of the archive overlap");
    if (i == order.front() && local_offsets_[i] != 0)
      reject(0, "there are bytes before the first member of the archive");
    free_from = members_[i].data_offset + members_[i].stored_size;
  }
  if (free_from > directory) reject(directory, "a member of the archive overlaps the directory");
}

const ZipMember* ZipArchive::find(std::string_view name) const noexcept {
  for (const auto& member : members_)
    if (member.name == name) return &member;
  return nullptr;
}

std::string_view ZipArchive::read(const ZipMember& member, Buffer<char>& storage) const {
  std::string_view content = bytes_.substr(member.data_offset, member.stored_size);
  if (member.deflated) {
    if (member.size > free_expansion &&
        (member.size - free_expansion) / std::max<std::uint64_t>(max_expansion_, 1) > member.stored_size)
      throw IoError(
          file_,
          fmt::format("member {} would expand from {} to {} bytes, more than --max-expansion {} allows",
                      quote_text(member.name), member.stored_size, member.size, max_expansion_));
    inflate(member, storage);
    content = {storage.data(), storage.size()};
  }
  uLong crc = ::crc32_z(0, nullptr, 0);
  crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (crc != member.crc)
    reject(member.data_offset,
           "the checksum of member " + quote_text(member.name) + " does not match its data");
  return content;
}

void ZipArchive::inflate(const ZipMember& member, Buffer<char>& storage) const {
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &::inflateEnd);
  const auto damaged = [&] {
    reject(member.data_offset, "the compressed data of member " + quote_text(member.name) + " is damaged");
  };
  std::uint64_t given = 0;
  storage.clear();
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::uint64_t piece = std::min<std::uint64_t>(member.stored_size - given, std::uint64_t{1} << 30);
      // zlib's interface is not const-correct; it does not write here.
      stream.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + member.data_offset + given));
      stream.avail_in = static_cast<uInt>(piece);
      given += piece;
    }
    // Room for one byte beyond the declared size shows that there is more.
    const std::size_t old = storage.size();
    const std::size_t room =
        static_cast<std::size_t>(std::min<std::uint64_t>(inflate_piece, member.size + 1 - old));
    if (room == 0) damaged();
    storage.resize(old + room);
    stream.next_out = reinterpret_cast<Bytef*>(storage.data() + old);
    stream.avail_out = static_cast<uInt>(room);
    status = ::inflate(&stream, Z_NO_FLUSH);
    storage.resize(old + room - stream.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) damaged();  // also when the input ends too early
  }
  if (storage.size() != member.size || given - stream.avail_in != member.stored_size) damaged();
}

}  // namespace lazylogit::io
