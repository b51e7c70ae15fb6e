#include "src/core/manifest.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/sealed_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <sstream>
#include <utility>
#include <vector>

namespace bcr {
namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  Json operator()(const bool value) const { return value; }
  Json operator()(const std::int64_t value) const { return value; }
  Json operator()(const double value) const {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const ConfigValue::Array& values) const {
    Json array = Json::array();
    for (const ConfigValue& value : values) array.push_back(std::visit(*this, value.data));
    return array;
  }
  Json operator()(const ConfigValue::Table& entries) const {
    Json object = Json::object();
    for (const auto& [key, value] : entries) object[key] = std::visit(*this, value.data);
    return object;
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void set_build(Manifest& manifest) {
  const BuildInfo build = build_info();
  manifest.set("version", build.version);
  manifest.set("git.hash", build.git_hash);
  manifest.set("git.state", build.git_state);
  manifest.set("build.compiler", build.compiler);
  manifest.set("build.flags", build.compiler_flags);
  manifest.set("build.type", build.build_type);
  for (const auto& [name, version] : core_libraries()) manifest.add_library(name, version);
}

void set_machine(Manifest& manifest) {
  const KokkosInfo kokkos = kokkos_info();
  manifest.set("kokkos.execution_spaces", kokkos.execution_spaces);
  manifest.set("kokkos.default_execution_space", kokkos.default_execution_space);
  manifest.set("kokkos.threads", kokkos.concurrency);
  manifest.set("kokkos.device", kokkos.device);
  manifest.set("kokkos.configuration", lines_of(kokkos.configuration));

  const MachineInfo machine = machine_info();
  manifest.set("machine.hostname", machine.hostname);
  manifest.set("machine.cpu", machine.cpu_model);
  manifest.set("machine.hardware_threads", machine.hardware_threads);
  manifest.set("machine.operating_system", machine.operating_system);

  const auto set_table = [&](const std::string& key, const auto& variables) {
    manifest.set_value(key, {ConfigValue::Table(), {}, {}});
    for (const auto& [name, value] : variables) manifest.set(join_key(key, name), value);
  };
  set_table("slurm", slurm_variables());
  set_table("environment", thread_variables());
}

}  // namespace

Manifest::Manifest() : root_{ConfigValue::Table(), {}, {}} {
  set_build(*this);
  set_machine(*this);
  set("time_utc", utc_now());
}

void Manifest::add_library(const std::string_view name, const std::string_view version) {
  ConfigValue value;
  value.data = std::string(version);
  root_.at_or_insert("libraries").at_or_insert(name) = std::move(value);
}

void Manifest::set_value(const std::string_view key, ConfigValue value) {
  ConfigValue* target = &root_;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    target = &target->at_or_insert(key.substr(begin, end - begin));
    begin = end + 1;
  }
  *target = std::move(value);
}

const ConfigValue* Manifest::find(const std::string_view key) const {
  const ConfigValue* found = &root_;
  for (std::size_t begin = 0; found != nullptr && begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    found = found->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

std::string Manifest::to_json() const {
  // Environment variables may hold any bytes: what is no UTF-8 is replaced, never thrown at the end of a run.
  return std::visit(ToJson(), root_.data).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void Manifest::write(const std::filesystem::path& file) const {
  Manifest sealed = *this;
  sealed.set("format", "bcr manifest");
  sealed.set("format_version", 1);
  sealed.set("checksum", std::string(open_seal));
  write_file(file, seal(sealed.to_json()));
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace bcr
