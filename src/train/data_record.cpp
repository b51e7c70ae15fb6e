#include "src/train/data_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>

namespace bcr::train {
namespace {

DataRecord record_of(std::string side, const Dataset& pieces) {
  DataRecord record{.side = std::move(side), .files = {}, .sha256 = {}, .images = pieces.count()};
  for (const Dataset::Piece& piece : pieces.pieces()) {
    record.files.push_back(piece.file->path());
    record.sha256.push_back(piece.file->info().sha256);
  }
  return record;
}

}  // namespace

std::vector<DataRecord> data_records(const OpenData& data) {
  std::vector<DataRecord> records;
  for (const Side& side : sides(data)) records.push_back(record_of(side.name, side.samples));
  return records;
}

std::string digest_lines(const OpenData& data) {
  std::string lines;
  for (const DataRecord& record : data_records(data))
    if (!record.sha256.empty()) lines += fmt::format("{} {}\n", record.side, fmt::join(record.sha256, " "));
  if (!data.vocabulary.words().empty()) lines += fmt::format("vocabulary {}\n", data.vocabulary.sha256());
  return lines;
}

std::map<std::string, std::string> digests_by_side(const std::string& lines) {
  std::map<std::string, std::string> digests;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) digests[line.substr(0, space)] = line.substr(space + 1);
  }
  return digests;
}

bool is_trained_on(const std::string_view side) {
  return side == "known_train" || side == "validation" || side == "background" || side == "vocabulary";
}

void verify_old_files(const OpenData& data, const Log& log) {
  std::set<const io::DataFile*> seen;
  for (const Side& side : sides(data)) {
    for (const Dataset::Piece& piece : side.samples.pieces()) {
      if (piece.file->is_checked() || !seen.insert(piece.file.get()).second) continue;
      log.warning("data",
                  "{} is of version {}: nothing tells if its class names are those it was written with; "
                  "bcr-data import makes one that knows",
                  piece.file->path(), piece.file->info().version);
      piece.file->verify();
    }
  }
}

std::string fit_of(const Dataset& side) {
  std::string fit;
  for (const Dataset::Piece& piece : side.pieces()) {
    const auto* const images = dynamic_cast<const io::ImageFile*>(piece.file.get());
    if (images == nullptr || (!fit.empty() && images->info().fit != fit)) return {};
    fit = images->info().fit;
  }
  return fit;
}

void warn_of_different_fits(const OpenData& data, const Log& log) {
  const std::string known = fit_of(data.known_train);
  const auto compare = [&](const std::string_view side, const Dataset& other) {
    const std::string fit = fit_of(other);
    if (known.empty() || fit.empty() || fit == known) return;
    log.warning("data",
                "pictures of data.known_train were imported with --fit {}, those of {} with {}: a network can "
                "tell them apart by that",
                known, side, fit);
  };
  compare("data.background_train", data.background);
  compare("data.known_test", data.known_test);
  for (const Dataset& unknown : data.unknown_test) compare("data.unknown_test", unknown);
}

void warn_of_shared_images(const OpenData& data, const Log& log) {
  if (data.known_train.count() == 0 || data.known_test.count() == 0) return;
  const io::DataFile& train = *data.known_train.pieces().front().file;
  const io::DataFile& test = *data.known_test.pieces().front().file;
  if (train.info().sha256 != test.info().sha256) return;
  log.warning("data",
              "data.known_train and data.known_test hold the same samples ({}, {}): the tests say nothing about "
              "unseen samples of the known classes",
              train.path(), test.path());
}

}  // namespace bcr::train
