# shellcheck shell=bash
# The half of scripts/bootstrap that gets archives and turns them into components; sourced by it.
# shellcheck disable=SC2154  # pins, stage, log, root, route come from scripts/bootstrap
# shellcheck disable=SC2034  # made_by goes back to make_component

# Most of these are called in conditions, where errexit is off: every step that can fail says what then.

# --- archives ---------------------------------------------------------------------------------------------------------

python='' pip=''

# A Python that can make virtual environments; Debian's own first, whatever else PATH offers.
find_python() {
  for python in /usr/bin/python3 "$(command -v python3 || true)"; do
    if [ -x "$python" ] && "$python" -c 'import ensurepip, venv' 2>/dev/null; then return 0; fi
  done
  fail "no python3 with the modules venv and ensurepip on this machine; install the Debian package python3-venv"
}

check_hash() {
  local file=$1 sha256=$2 found
  found=$(sha256sum -- "$file" 2>>"$log" | cut -d' ' -f1) || fail "cannot read $file; look at its owner and rights"
  [ "$found" = "$sha256" ] ||
    fail "$file has SHA-256 $found, $pins wants $sha256; the file was altered or the pin is wrong: get it anew"
}

# fetch_pool PATH FILE SHA256: from the pool of whatever Debian mirror apt uses here, by apt's own transport (its
# proxies, its certificates). apt prints its mirrors without network or root.
fetch_pool() {
  local path=$1 file=$2 sha256=$3 uri release
  have apt-get && [ -x /usr/lib/apt/apt-helper ] || return 1
  # shellcheck disable=SC1091  # a file of the system
  release=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  while read -r uri; do
    if run /usr/lib/apt/apt-helper -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=2 \
      download-file "$uri$path" "$stage/$file" "SHA256:$sha256"; then
      return 0
    fi
    ! grep -q 'Hash Sum mismatch' "$log" || give_up "fetching $file from the Debian mirror" "$BCR_DEPS"
  done < <(apt-get update --print-uris 2>/dev/null | sed -n "s#^'\(.*/\)dists/$release/InRelease'.*#\1#p" | sort -u)
  return 1
}

# fetch_pypi NAME==VERSION FILE SHA256. To fetch an sdist pip asks its build backend for the package's name and version;
# a stand-in answers, so that neither the package nor build tools from the network are run.
fetch_pypi() {
  local name=${1%%==*} version=${1##*==} file=$2 sha256=$3 site
  if [ -z "$pip" ]; then
    find_python
    run "$python" -m venv "$scratch/venv" || return 1
    site=$(echo "$scratch"/venv/lib/python3*/site-packages)
    mkdir -- "$site/scikit_build_core" 2>>"$log" || return 1
    cat >"$site/scikit_build_core/build.py" 2>>"$log" <<'PYTHON' || return 1
import os, pathlib
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    info = pathlib.Path(directory, "{BCR_NAME}-{BCR_VERSION}.dist-info".format(**os.environ))
    info.mkdir()
    info.joinpath("METADATA").write_text(
        "Metadata-Version: 2.1\nName: {BCR_NAME}\nVersion: {BCR_VERSION}\n".format(**os.environ))
    return info.name
PYTHON
    pip=$scratch/venv/bin/pip
  fi
  printf '%s --hash=sha256:%s\n' "$1" "$sha256" >"$stage/requirements.txt" || return 1
  run env BCR_NAME="$name" BCR_VERSION="$version" "$pip" download --no-input --no-cache-dir --no-deps --require-hashes \
    --no-build-isolation --disable-pip-version-check --progress-bar off --retries 3 \
    -r "$stage/requirements.txt" -d "$stage" && [ -f "$stage/$file" ]
}

# fetch ROUTE WHERE FILE SHA256: puts the file into the stage, its hash checked.
fetch() {
  local fetch_from=$1 where=$2 file=$3 sha256=$4
  if [ -n "${BCR_ARCHIVES:-}" ] && [ -f "$BCR_ARCHIVES/$file" ]; then
    check_hash "$BCR_ARCHIVES/$file" "$sha256"
    ln -s -- "$(realpath -- "$BCR_ARCHIVES/$file")" "$stage/$file" 2>>"$log"
    return
  fi
  "fetch_$fetch_from" "$where" "$file" "$sha256" || return 1
  check_hash "$stage/$file" "$sha256"
}

# --- recipes: each fills $stage/root, whose content becomes $BCR_DEPS/<component> -------------------------------------

# make_wheels NAME: the data files of wheels (headers, libraries, CMake packages).
make_wheels() {
  local name=$1 from where file sha256 files=() patterns=()
  while read -r from where file sha256; do
    fetch "$from" "$where" "$file" "$sha256" || give_up "fetching ${where/==/ } from PyPI" "$BCR_DEPS"
    files+=("$stage/$file")
  done < <(pinned source "$name")
  read -r -a patterns < <(pinned drop "$name") || true
  [ -n "$python" ] || find_python
  run "$python" "$root/scripts/unpack_wheels.py" --into "$stage/root" --without "${patterns[*]}" "${files[@]}" ||
    give_up "unpacking $name" "$BCR_DEPS"
  made_by=pypi
}

fetch_kokkos() {
  local from where file sha256
  while read -r from where file sha256; do
    [ "$route" = auto ] || [ "$route" = "$from" ] || continue
    say "$1: source $file ($from)"
    if fetch "$from" "$where" "$file" "$sha256"; then
      mkdir -- "$stage/archive" 2>>"$log" || give_up "unpacking $file" "$BCR_DEPS"
      run tar -xzf "$stage/$file" --no-same-owner -C "$stage/archive" || give_up "unpacking $file" "$BCR_DEPS"
      made_by=$from
      return 0
    fi
    say "$1: that source is not to be had"
  done < <(pinned source kokkos)
  give_up "fetching the source of Kokkos" "$BCR_DEPS"
}

# Sets source to the tree that fetch_kokkos unpacked.
find_kokkos_source() {
  source=$(find "$stage/archive" -path '*/core/src/Kokkos_Core.hpp' -print -quit)
  [ -n "$source" ] || fail "the archive of Kokkos holds no core/src/Kokkos_Core.hpp; the source pinned in $pins is wrong"
  source=${source%/core/src/Kokkos_Core.hpp}
}

# make_kokkos_source NAME: unpacked and no more, for scripts/check-sycl.
make_kokkos_source() {
  local source
  fetch_kokkos "$1"
  find_kokkos_source
  mv -- "$source" "$stage/root" 2>>"$log" || give_up "unpacking Kokkos" "$BCR_DEPS"
}

# make_kokkos NAME: built where it is staged, configured for the place it goes to.
make_kokkos() {
  local name=$1 options=() tool source
  for tool in cmake ninja; do
    have "$tool" || fail "$tool, which builds Kokkos, is not on this machine; install it or leave out --no-apt"
  done
  have "${CXX:-c++}" ||
    fail "the compiler ${CXX:-c++} is not on this machine; install it, set CXX or leave out --no-apt"
  fetch_kokkos "$name"
  find_kokkos_source
  read -r -a options -d '' < <(pinned option kokkos; pinned option "$name") || true
  options=("${options[@]//@SOURCE@/$source}")
  if [[ ${options[*]} == *nvcc_wrapper* ]]; then
    have nvcc || fail "nvcc, which compiles $name, is not on PATH; load the module of the CUDA toolkit or extend PATH"
  elif have ccache; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_BASEDIR=$stage CCACHE_NOHASHDIR=1
  fi
  : >"$log"  # a route that failed before another worked must not explain what fails from here on
  say "$name: building with ${BCR_JOBS:-$(nproc)} jobs, one to three minutes"
  run cmake -G Ninja -S "$source" -B "$stage/build" \
    -DCMAKE_INSTALL_PREFIX="$BCR_DEPS/$name" -DCMAKE_INSTALL_LIBDIR=lib "${options[@]}" ||
    give_up "configuring Kokkos" "$BCR_DEPS"
  run ninja -C "$stage/build" -j "${BCR_JOBS:-$(nproc)}" || give_up "building Kokkos" "$BCR_DEPS"
  run env DESTDIR="$stage/install" ninja -C "$stage/build" install || give_up "installing Kokkos" "$BCR_DEPS"
  mv -- "$stage/install$BCR_DEPS/$name" "$stage/root" 2>>"$log" || give_up "installing Kokkos" "$BCR_DEPS"
  # The package names the compiler it was built with: nvcc_wrapper of the source tree, which is installed too.
  sed -i "s#$source/bin/#$BCR_DEPS/$name/bin/#g" "$stage"/root/lib/cmake/Kokkos/*.cmake 2>>"$log" ||
    give_up "installing Kokkos" "$BCR_DEPS"
}
