#!/usr/bin/env bash
# test_bootstrap.sh CASE: one test of scripts/bootstrap. No network: the pins and archives are made here, Kokkos' build
# tools are stand-ins, apt is left out. Exit code 77 means that the machine does not allow the test.
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
mounted=''
tidy() {
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf -- "$work"
}
trap tidy EXIT

deps=$work/deps archives=$work/archives output=$work/output code=0
mkdir "$archives"
unset BCR_IGNORE_SPACE BCR_KOKKOS_ROUTE CXX

# --- fixtures ---------------------------------------------------------------------------------------------------------

# A wheel with one library under three names (4 MB of noise, so that it is as large packed as unpacked) and one header.
make_wheel() {
  python3 - "$archives/demo-1.0-py3-none-any.whl" <<'PYTHON'
import random, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    library = random.Random(7).randbytes(4 << 20)
    for name in ("libdemo.so", "libdemo.so.1", "libdemo.so.1.0", "libunwanted.so"):
        wheel.writestr("demo-1.0.data/data/lib/" + name, library)
    wheel.writestr("demo-1.0.data/data/include/demo.h", "#define DEMO 1\n")
    wheel.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
PYTHON
}

make_kokkos_archive() {
  mkdir -p "$work/carrier-1.0/tpls/kokkos/core/src"
  touch "$work/carrier-1.0/tpls/kokkos/core/src/Kokkos_Core.hpp"
  tar -czf "$archives/carrier-1.0.tar.gz" -C "$work" carrier-1.0
}

write_pins() {
  local space=${1:-1}
  cat >"$work/pins" <<PINS
recipe 1
default demo
component demo wheels $space any
source demo pypi demo==1.0 demo-1.0-py3-none-any.whl $(sha256sum "$archives/demo-1.0-py3-none-any.whl" | cut -d' ' -f1)
drop demo lib/libunwanted.*
PINS
}

write_kokkos_pins() {
  cat >"$work/pins" <<PINS
recipe 1
default kokkos-demo
component kokkos-demo kokkos 1 any
source kokkos pool pool/main/k/kokkos/nowhere.tar.gz nowhere.tar.gz $(printf '0%.0s' {1..64})
source kokkos pypi carrier==1.0 carrier-1.0.tar.gz $(sha256sum "$archives/carrier-1.0.tar.gz" | cut -d' ' -f1)
option kokkos -DFIRST=1
option kokkos-demo -DSECOND=2
PINS
}

# Stand-ins for apt (knows no mirror), cmake (keeps its arguments), ninja (installs one file where cmake was told to).
make_tools() {
  mkdir "$work/tools"
  printf '#!/bin/sh\n' >"$work/tools/apt-get"
  printf '#!/bin/sh\nprintf "%%s\\n" "$@" >%q\n' "$work/cmake-arguments" >"$work/tools/cmake"
  cat >"$work/tools/ninja" <<TOOL
#!/bin/sh
case "\$*" in *install*) ;; *) exit 0 ;; esac
place=\$DESTDIR\$(sed -n 's/^-DCMAKE_INSTALL_PREFIX=//p' '$work/cmake-arguments')
mkdir -p "\$place/lib/cmake/Kokkos" && touch "\$place/lib/cmake/Kokkos/KokkosConfig.cmake"
TOOL
  printf '#!/bin/sh\n' >"$work/tools/c++"
  chmod +x "$work"/tools/*
}

# --- acting and checking ----------------------------------------------------------------------------------------------

bootstrap() {
  code=0
  env BCR_DEPS="$deps" BCR_ARCHIVES="$archives" BCR_PINS="$work/pins" "$source_dir/scripts/bootstrap" --no-apt "$@" \
    >"$output" 2>&1 </dev/null || code=$?
}

complain() {
  printf 'FAILED: %s\n--- output (exit code %s):\n' "$*" "$code"
  cat "$output"
  exit 1
}
expect_code() { [ "$code" -eq "$1" ] || complain "exit code $1 expected"; }
expect_words() { grep -q -E -- "$1" "$output" || complain "a message with '$1' expected"; }
expect_file() { [ -e "$1" ] || complain "the file $1 expected"; }
expect_one_sentence() {
  [ "$(grep -c 'error:' "$output")" -eq 1 ] || complain "one line with 'error:' expected"
  ! grep -q -E '^(  \||Traceback|.*: line [0-9]+:)' "$output" || complain "no raw output of tools expected"
}
# Hidden files count: the scratch directory is one.
expect_nothing_left() {
  [ ! -e "$deps" ] || [ -z "$(ls -A "$deps")" ] || complain "$deps: expected empty, has $(ls -A "$deps")"
}
snapshot() { find "$deps" -printf '%p %i %s %T@\n' | sort; }
expect_unchanged() { [ "$(snapshot)" = "$1" ] || complain "$deps was expected to stay as it was"; }

skip() { printf 'SKIPPED: %s\n' "$*"; exit 77; }

# --- cases ------------------------------------------------------------------------------------------------------------

case_components_are_unpacked_and_found() {
  make_wheel && write_pins
  bootstrap
  expect_code 0
  expect_file "$deps/demo/include/demo.h"
  [ ! -e "$deps/demo/lib/libunwanted.so" ] || complain "a dropped file was unpacked"
  [ "$deps/demo/lib/libdemo.so" -ef "$deps/demo/lib/libdemo.so.1.0" ] || complain "equal files expected to be one file"
  # shellcheck disable=SC1091
  [ "$(unset CMAKE_PREFIX_PATH && . "$deps/env.sh" && printf '%s' "$CMAKE_PREFIX_PATH")" = "$deps/demo" ] ||
    complain "env.sh does not lead to the component"
}

# Everything that was written since, but for the folders of build and git, which others write to.
written_since() {
  find "$work" "$source_dir" \( -path "$source_dir/build" -o -path "$source_dir/.git" \) -prune -o \
    -newer "$1" ! -type d ! -path "$output" -print
}

case_writes_only_to_the_cache() {
  local home=$work/home outside
  make_wheel && write_pins
  mkdir "$home" "$work/tmp"
  touch "$work/began"
  env -u BCR_DEPS HOME="$home" XDG_CACHE_HOME="$home/.cache" TMPDIR="$work/tmp" BCR_ARCHIVES="$archives" \
    BCR_PINS="$work/pins" "$source_dir/scripts/bootstrap" --no-apt >"$output" 2>&1 </dev/null || code=$?
  expect_code 0
  expect_file "$(echo "$home"/.cache/bcr/deps-*/demo/include/demo.h)"
  outside=$(written_since "$work/began" | grep -v "^$home/.cache/bcr/" || true)
  [ -z "$outside" ] || complain "written outside of the cache: $outside"
  [ "$(ls -A "$home")" = .cache ] || complain "$home: expected .cache alone, has $(ls -A "$home")"
  [ -z "$(ls -A "$work/tmp")" ] || complain "left in TMPDIR: $(ls -A "$work/tmp")"
}

case_second_run_does_nothing() {
  local before seconds
  make_wheel && write_pins
  bootstrap
  expect_code 0
  before=$(snapshot)
  rm -r "$archives"
  TIMEFORMAT='%U %S' # processor time: the verdict must not hang on what else the machine does
  { time bootstrap; } 2>"$work/seconds"
  expect_code 0
  seconds=$(cat "$work/seconds")
  awk "BEGIN { split(\"$seconds\", t); exit !(t[1] + t[2] < 2) }" || complain "less than 2 s expected, took $seconds"
  expect_unchanged "$before"
}

case_wrong_hash_is_refused() {
  make_wheel && write_pins
  printf 'x' >>"$archives/demo-1.0-py3-none-any.whl"
  bootstrap
  expect_code 1
  expect_words 'demo-1.0-py3-none-any.whl has SHA-256 [0-9a-f]{64}, .* wants [0-9a-f]{64}'
  expect_one_sentence
  expect_nothing_left
}

case_failed_update_keeps_the_old_component() {
  local before
  make_wheel && write_pins
  bootstrap
  before=$(snapshot | grep "^$deps/demo")
  printf 'x' >>"$archives/demo-1.0-py3-none-any.whl"
  sed -i 's/^recipe 1/recipe 2/' "$work/pins"
  bootstrap
  expect_code 1
  [ "$(snapshot | grep "^$deps/demo")" = "$before" ] || complain "the old component was expected to stay"
}

case_changed_pin_makes_the_component_anew() {
  make_wheel && write_pins
  bootstrap
  sed -i 's/^drop demo .*/drop demo include\/*/' "$work/pins"
  bootstrap
  expect_code 0
  expect_file "$deps/demo/lib/libunwanted.so"
  [ ! -e "$deps/demo/include" ] || complain "files of the old component are still there"
}

case_unknown_component_is_refused() {
  make_wheel && write_pins
  bootstrap --with cocos
  expect_code 2
  expect_words "no component or apt group 'cocos'; there are: demo"
  expect_one_sentence
  expect_nothing_left
}

case_no_network_is_told() {
  python3 -c 'import ensurepip, venv' 2>/dev/null || /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null ||
    skip "no python3 with venv"
  make_wheel && write_pins && rm "$archives"/*
  export PIP_INDEX_URL=http://127.0.0.1:9/simple PIP_FIND_LINKS='' PIP_EXTRA_INDEX_URL='' PIP_CONFIG_FILE=/dev/null
  bootstrap
  expect_code 1
  expect_words 'fetching demo 1.0 from PyPI failed because the server was not reached .* BCR_ARCHIVES'
  expect_one_sentence
  expect_nothing_left
}

case_step_that_fails_while_fetching_is_noticed() {
  make_kokkos_archive && write_kokkos_pins && make_tools
  printf '#!/bin/sh\necho "ln: no such luck" >&2\nexit 1\n' >"$work/tools/ln"
  chmod +x "$work/tools/ln"
  PATH=$work/tools:$PATH BCR_KOKKOS_ROUTE=pypi bootstrap
  expect_code 1
  expect_words 'ln: no such luck'
  expect_words 'fetching the source of Kokkos failed; its last lines are above'
  expect_nothing_left
}

case_archive_without_kokkos_is_told() {
  make_kokkos_archive && make_tools
  tar -czf "$archives/carrier-1.0.tar.gz" -C "$work" tools && write_kokkos_pins
  PATH=$work/tools:$PATH bootstrap
  expect_code 1
  expect_words 'archive of Kokkos holds no core/src/Kokkos_Core.hpp'
  expect_one_sentence
  expect_nothing_left
}

mount_small_disk() {
  [ "$(id -u)" -eq 0 ] || skip "only root can mount a small disk"
  mkdir "$deps"
  mount -t tmpfs -o size="$1" none "$deps" 2>/dev/null || skip "no right to mount a tmpfs"
  mounted=$deps
}

case_disk_too_small_is_told_beforehand() {
  make_wheel && write_pins 5000
  mount_small_disk 2m
  bootstrap
  expect_code 1
  expect_words 'demo needs 5000 MB in .* and the disk has 2 MB left'
  expect_one_sentence
  expect_nothing_left
}

case_full_disk_leaves_nothing() {
  make_wheel && write_pins
  mount_small_disk 2m
  export BCR_IGNORE_SPACE=1
  bootstrap
  expect_code 1
  expect_words 'unpacking demo failed because the disk that holds .* is full'
  expect_one_sentence
  expect_nothing_left
}

case_missing_tool_is_named() {
  make_kokkos_archive && write_kokkos_pins
  mkdir "$work/tools"
  ln -s /usr/bin/* "$work/tools"
  rm -f "$work"/tools/cmake "$work"/tools/ninja
  PATH=$work/tools bootstrap
  expect_code 1
  expect_words 'cmake, which builds Kokkos, is not on this machine; install it'
  expect_one_sentence
  expect_nothing_left
}

case_kokkos_falls_back_to_the_second_route() {
  make_kokkos_archive && write_kokkos_pins && make_tools
  PATH=$work/tools:$PATH bootstrap
  expect_code 0
  expect_file "$deps/kokkos-demo/lib/cmake/Kokkos/KokkosConfig.cmake"
  [ "$(grep -c -x -E -e '-D(FIRST=1|SECOND=2)' "$work/cmake-arguments")" -eq 2 ] ||
    complain "the options of the pins did not reach cmake"
  [ "$(tail -n 1 "$deps/kokkos-demo/.bcr-stamp")" = pypi ] || complain "the stamp names another route"
  PATH=$work/tools:$PATH BCR_KOKKOS_ROUTE=debian bootstrap
  expect_code 1
  expect_file "$deps/kokkos-demo/lib/cmake/Kokkos/KokkosConfig.cmake"
}

case_interrupt_leaves_nothing() {
  local pid
  make_kokkos_archive && write_kokkos_pins && make_tools
  printf '#!/bin/sh\nsleep 60 &\necho $! >%q\nwait\n' "$work/started" >"$work/tools/cmake"
  PATH=$work/tools:$PATH BCR_DEPS=$deps BCR_ARCHIVES=$archives BCR_PINS=$work/pins \
    "$source_dir/scripts/bootstrap" --no-apt >"$output" 2>&1 </dev/null &
  pid=$!
  for _ in {1..100}; do [ ! -s "$work/started" ] || break; sleep 0.1; done
  expect_file "$work/started"
  kill -TERM "$pid"
  wait "$pid" || code=$?
  expect_code 130
  expect_one_sentence
  expect_nothing_left
  ! kill -0 "$(cat "$work/started")" 2>/dev/null || complain "the interrupted build still runs"
}

case_two_runs_at_once_make_it_once() {
  make_wheel && write_pins
  for run in 1 2; do
    BCR_DEPS=$deps BCR_ARCHIVES=$archives BCR_PINS=$work/pins \
      "$source_dir/scripts/bootstrap" --no-apt >"$output.$run" 2>&1 </dev/null || echo failed >>"$output.$run" &
  done
  wait
  cat "$output".? >"$output"
  [ "$(grep -c 'demo: making it' "$output")" -eq 1 ] || complain "one of two runs was expected to make it"
  [ "$(grep -c 'ready in' "$output")" -eq 2 ] || complain "both runs were expected to end well"
}

"case_${1:?usage: test_bootstrap.sh CASE}"
