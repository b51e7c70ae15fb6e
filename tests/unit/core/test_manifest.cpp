#include "src/core/manifest.hpp"

#include "src/core/build_info.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/sealed_text.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <limits>

namespace {

using ::testing::MatchesRegex;
using Json = nlohmann::json;

TEST(Manifest, BeginsWithEverythingCoreKnows) {
  const Json json = Json::parse(bcr::Manifest().to_json());

  for (const char* const pointer : {"/version",
                                    "/git/hash",
                                    "/git/state",
                                    "/build/compiler",
                                    "/build/flags",
                                    "/build/type",
                                    "/libraries/kokkos",
                                    "/libraries/fmt",
                                    "/libraries/spdlog",
                                    "/libraries/tomlplusplus",
                                    "/libraries/nlohmann_json",
                                    "/kokkos/execution_spaces",
                                    "/kokkos/device",
                                    "/kokkos/threads",
                                    "/kokkos/configuration",
                                    "/machine/hostname",
                                    "/machine/cpu",
                                    "/machine/hardware_threads",
                                    "/slurm",
                                    "/environment",
                                    "/time_utc"}) {
    const Json::json_pointer key(pointer);
    ASSERT_TRUE(json.contains(key)) << pointer;
    EXPECT_NE(json.at(key), "") << pointer;
  }
  EXPECT_GE(json["kokkos"]["threads"], 1);
  EXPECT_THAT(json["version"].get<std::string>(), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(json["git"]["hash"].get<std::string>(), MatchesRegex("[0-9a-f]+|unknown"));
  EXPECT_THAT(json["git"]["state"].get<std::string>(), MatchesRegex("clean|dirty|unknown"));
  EXPECT_THAT(json["time_utc"].get<std::string>(),
              MatchesRegex("2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
  EXPECT_FALSE(json["kokkos"]["configuration"].empty());
}

TEST(Manifest, TakesSectionsAndLibrariesOfOtherRooms) {
  bcr::Manifest manifest;
  manifest.add_library("hdf5", "1.10.8");
  manifest.add_library("a.b", "1");
  manifest.set("seed", 7);
  manifest.set("mode", "strict");
  manifest.set("sha256.initial_weights", "aa");
  manifest.set("sha256.final_weights", std::string("bb"));
  manifest.set("sha256.initial_weights", "cc");
  manifest.set("split.known", std::vector<int>{1, 2});
  manifest.set("lr", std::numeric_limits<double>::infinity());

  const Json json = Json::parse(manifest.to_json());

  EXPECT_EQ(json["libraries"]["hdf5"], "1.10.8");
  EXPECT_EQ(json["libraries"]["a.b"], "1");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["mode"], "strict");
  EXPECT_EQ(json["sha256"], (Json{{"initial_weights", "cc"}, {"final_weights", "bb"}}));
  EXPECT_EQ(json["split"]["known"], (Json{1, 2}));
  EXPECT_EQ(json["lr"], "inf");
  EXPECT_EQ(std::get<std::string>(manifest.find("sha256.final_weights")->data), "bb");
  EXPECT_EQ(manifest.find("sha256.absent"), nullptr);
}

TEST(Manifest, RecordsTheBatchJobEvenIfItsNameIsNoText) {
  ::setenv("SLURM_JOB_ID", "4711", 1);
  ::setenv("SLURM_JOB_NAME", "bad \xff byte", 1);
  ::setenv("SLURM_CONF", "/not/an/id", 1);
  const Json json = Json::parse(bcr::Manifest().to_json());
  ::unsetenv("SLURM_JOB_ID");
  ::unsetenv("SLURM_JOB_NAME");
  ::unsetenv("SLURM_CONF");

  EXPECT_EQ(json["slurm"]["SLURM_JOB_ID"], "4711");
  EXPECT_EQ(json["slurm"]["SLURM_JOB_NAME"], "bad \xef\xbf\xbd byte");
  EXPECT_FALSE(json["slurm"].contains("SLURM_CONF"));
}

TEST(Manifest, IsWrittenAsAFile) {
  const bcr::test::ScratchDirectory scratch;
  const bcr::Manifest manifest;

  manifest.write(scratch.path() / "manifest.json");

  const std::string text = bcr::test::ScratchDirectory::read(scratch.path() / "manifest.json");
  const std::string json = manifest.to_json();
  EXPECT_TRUE(text.starts_with(json.substr(0, json.rfind("\n}")))) << "all entries, then format and checksum";
  EXPECT_EQ(bcr::seal_of(text), bcr::Seal::right);
}

TEST(BuildInfo, NamesCompilerAndBuildType) {
  const bcr::BuildInfo build = bcr::build_info();

  EXPECT_THAT(build.compiler, MatchesRegex("[A-Za-z]+ [0-9.]+"));
  EXPECT_FALSE(build.compiler_flags.empty());
}

TEST(MachineInfo, IsFoundOut) {
  const bcr::MachineInfo machine = bcr::machine_info();

  EXPECT_FALSE(machine.hostname.empty());
  EXPECT_FALSE(machine.cpu_model.empty());
  EXPECT_GE(machine.hardware_threads, 1u);
}

}  // namespace
