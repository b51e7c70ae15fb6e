#include "io/bytes/inflate_stream.hpp"

#include "src/core/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace bcr::io {

namespace {

constexpr std::uint64_t largest_ratio = 1032;

int window_bits(const DeflateWrapper wrapper) {
  switch (wrapper) {
    case DeflateWrapper::gzip:
      return 16 + MAX_WBITS;
    case DeflateWrapper::zlib:
      return MAX_WBITS;
    case DeflateWrapper::raw:
      break;
  }
  return -MAX_WBITS;
}

}  // namespace

struct InflateStream::State {
  z_stream zlib{};
  std::array<std::uint8_t, 1 << 16> input{};
  bool ended = false;

  explicit State(const DeflateWrapper wrapper) {
    require<BackendError>(inflateInit2(&zlib, window_bits(wrapper)) == Z_OK, "inflate", "a zlib stream", "an error");
  }
  ~State() { inflateEnd(&zlib); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

InflateStream::InflateStream(std::unique_ptr<ByteStream> source, const DeflateWrapper wrapper)
    : ByteStream(source->name() + " (inflated)"),
      source_(std::move(source)),
      state_(std::make_unique<State>(wrapper)) {}

InflateStream::~InflateStream() = default;

std::uint64_t InflateStream::at_most() const noexcept {
  if (state_->ended) return 0;
  // The window may still hold one match of 258 bytes whose code has been consumed already.
  return (source_->at_most() + state_->zlib.avail_in + 8) * largest_ratio;
}

std::size_t InflateStream::read_some(const std::span<std::uint8_t> dst) {
  z_stream& zlib = state_->zlib;
  while (!state_->ended && !dst.empty()) {
    if (zlib.avail_in == 0) {
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(source_->at_most(), state_->input.size()));
      source_->read_exact(std::span(state_->input).first(step), "deflated data");
      zlib.next_in = state_->input.data();
      zlib.avail_in = static_cast<uInt>(step);
    }
    const auto space = static_cast<uInt>(std::min<std::size_t>(dst.size(), std::size_t{1} << 30));
    zlib.next_out = dst.data();
    zlib.avail_out = space;
    const int status = inflate(&zlib, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      state_->ended = true;
    } else if (status != Z_OK) {
      const bool truncated = status == Z_BUF_ERROR && source_->at_most() == 0;
      source_->refuse_here("a sound deflated stream",
                           truncated ? "a truncated one" : (zlib.msg != nullptr ? zlib.msg : "a damaged one"));
    }
    if (zlib.avail_out != space) return space - zlib.avail_out;
  }
  // Behind the end of the deflated stream nothing may follow in its source.
  if (state_->ended && !dst.empty() && (zlib.avail_in > 0 || source_->at_most() > 0)) {
    source_->refuse_here("the end of the file behind the deflated stream", "trailing bytes");
  }
  return 0;
}

std::unique_ptr<ByteStream> open_plain_or_gzip(const std::filesystem::path& path) {
  auto file = open_input(path);
  std::array<std::uint8_t, 2> magic{};
  if (file->size() >= magic.size()) file->read_at(0, magic, "magic number");
  auto plain = std::make_unique<FileStream>(std::move(file));
  if (magic[0] == 0x1f && magic[1] == 0x8b) {
    return std::make_unique<InflateStream>(std::move(plain), DeflateWrapper::gzip);
  }
  return plain;
}

}  // namespace bcr::io
