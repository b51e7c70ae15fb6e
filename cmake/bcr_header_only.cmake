# fmt, spdlog, toml++, nlohmann-json, CLI11 and Boost as headers below BCR_HEADERS, under the names their packages give:
# for a cross build, where the packages of the build machine bring libraries of the wrong kind.
set(BCR_HEADERS "" CACHE PATH "Folder with the headers of fmt, spdlog, toml++, nlohmann, CLI and boost, and no others")
foreach(library IN ITEMS fmt::fmt spdlog::spdlog nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus CLI11::CLI11
    Boost::headers)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${library} SYSTEM INTERFACE ${BCR_HEADERS})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
find_package(Threads REQUIRED)
target_link_libraries(spdlog::spdlog INTERFACE fmt::fmt Threads::Threads)
