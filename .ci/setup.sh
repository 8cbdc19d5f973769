# Shared by ./play and ./test: finds or installs every tool they need, saying what it does. POSIX sh, to be sourced.
#
# Tools and build outputs live under $TENSORYARD_CACHE (by default ~/.cache/tensoryard), so a fresh clone does not start
# from nothing. Nothing outside it is changed but Debian packages (chromium and friends), the Rust toolchain and cargo's own
# store of crates.
#
# Every need_… step tries the very thing that is used later (it loads the library, runs the program, compiles a line): a file
# that often comes with it once passed on machines where the thing itself was missing.

set -eu

TENSORYARD_CACHE=${TENSORYARD_CACHE:-$HOME/.cache/tensoryard}
TOOLS=$TENSORYARD_CACHE/tools
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$TENSORYARD_CACHE/target}"
export PATH="$TOOLS/bin:$HOME/.cargo/bin:$PATH"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false

BEGUN=$(date +%s)

# Announces a step, and how long the ones before it took.
say() {
    spent=$(($(date +%s) - BEGUN))
    printf '\n== %s (%d:%02d)\n' "$*" $((spent / 60)) $((spent % 60))
}

fail() {
    printf '\nerror: %s\n' "$*" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# need_room GIB: what all builds of a part take on the disk. A linker that finds the disk full dies of a bus error, which says nothing
# of its cause. What builds of earlier sources left is given up first: that costs time and nothing else.
need_room() {
    mkdir -p "$CARGO_TARGET_DIR"
    for left in '' "$CARGO_TARGET_DIR"/*/incremental "$CARGO_TARGET_DIR"/*/*/incremental "$CARGO_TARGET_DIR"/*; do
        if [ -e "$left" ]; then
            say "$free GiB are free on this disk, and this needs $needed: removing $left"
            rm -rf "$left"
        fi
        free=$(df -Pk "$CARGO_TARGET_DIR" | awk 'END { print int($4 / 1048576) }')
        # What is there already is written over, but never all at once.
        needed=$(($1 - $(du -sk "$CARGO_TARGET_DIR" | awk '{ print int($1 / 1048576) }')))
        [ "$needed" -ge 5 ] || needed=5
        [ "$free" -lt "$needed" ] || return 0
    done
    fail "$free GiB are free for $CARGO_TARGET_DIR, and this needs $needed: make room, or set TENSORYARD_CACHE to a folder of another disk"
}

need_rust() {
    have rustup || fail "rustup is not installed; see https://rustup.rs"
    have cc || fail "there is no C compiler: apt-get install build-essential"
    channel=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
    export RUSTUP_TOOLCHAIN="$channel"
    if ! rustup run "$channel" rustc --version >/dev/null 2>&1 ||
        ! rustup run "$channel" cargo clippy --version >/dev/null 2>&1 ||
        ! rustup run "$channel" cargo fmt --version >/dev/null 2>&1 ||
        ! [ -d "$(rustup run "$channel" rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" ]; then
        say "Installing Rust $channel with wasm32, clippy and rustfmt (under a minute)"
        rustup toolchain install "$channel" --no-self-update --profile minimal -c clippy -c rustfmt -t wasm32-unknown-unknown ||
            fail "rustup could not install Rust $channel"
    fi
    # Builds are offline, and the page and the native programs each use crates that the other does not.
    if ! cargo fetch --locked --offline --quiet 2>/dev/null; then
        say "Downloading crates (under a minute)"
        cargo fetch --locked --quiet || fail "cargo could not download the crates that Cargo.lock names"
    fi
}

# install_packages PACKAGE...: from Debian.
install_packages() {
    have apt-get || fail "this is no Debian: install $* by hand"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    say "Installing Debian packages: $* (under a minute)"
    # With old lists of packages, it would install what was current when they were fetched.
    $sudo apt-get update >/dev/null 2>&1 || echo "The lists of packages could not be brought up to date; going on with the old ones."
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >/dev/null ||
        fail "apt-get could not install $*"
}

# need_packages PROBE PACKAGE...: PROBE is a function that uses what the packages bring.
need_packages() {
    probe=$1
    shift
    "$probe" >/dev/null 2>&1 && return 0
    install_packages "$@"
    "$probe" >/dev/null 2>&1 || fail "$* installed, but '$probe' still fails"
}

probe_chromium() { chromium --version --no-sandbox; }
probe_chromedriver() { chromedriver --version; }
# Older releases lack commands by which the tests drive it.
probe_firefox() { have firefox-esr && firefox-esr --version | awk '{ exit !($NF + 0 >= 144) }'; }
# It has no option that prints a version and ends.
probe_webkit() { have WebKitWebDriver && have Xvfb && have xauth; }
# Mesa's Vulkan on the processor: the loader, and the driver that its manifest names.
probe_vulkan() {
    python3 -c '
import ctypes, glob, json
ctypes.CDLL("libvulkan.so.1")
ctypes.CDLL(json.load(open(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")[0]))["ICD"]["library_path"])'
}
# The headers and the library of Open MPI, and a process that it starts.
probe_mpi() {
    made=$(mktemp -d) &&
        printf '#include <mpi.h>\nint main(int n, char **v) { return MPI_Init(&n, &v) || MPI_Finalize(); }' |
        mpicc -x c - -o "$made/probe" && mpirun --version && rm -r "$made"
}
# libffi as the linker finds it: the library alone is on most machines, and cannot be linked with.
probe_ffi() {
    made=$(mktemp -d) && printf 'int main(void) { return 0; }' | cc -x c - -lffi -o "$made/probe" && rm -r "$made"
}
# libclang as the binding's generator loads it. libclang-cpp is another library, and often there without it.
probe_libclang() {
    [ -n "${LIBCLANG_PATH:-}" ] || python3 -c '
import ctypes, glob
names = glob.glob("/usr/lib/llvm-*/lib/libclang.so*") + glob.glob("/usr/lib/llvm-*/lib/libclang-[0-9]*.so*")
ctypes.CDLL(names[0]).clang_createIndex'
}

need_browsers() {
    need_packages probe_chromium chromium
    need_packages probe_chromedriver chromium-driver
    need_packages probe_vulkan mesa-vulkan-drivers libvulkan1
    need_packages probe_firefox firefox-esr
    need_packages probe_webkit webkit2gtk-driver xvfb xauth
}

# wasm-bindgen and its test runner, by the lock file in .ci/tools: the one that is published with them names a version of a
# dependency that the registry no longer has.
need_wasm_bindgen() {
    version=$(sed -n 's/^wasm-bindgen-cli = .*"=\(.*\)".*/\1/p' .ci/tools/Cargo.toml)
    if "$TOOLS/bin/wasm-bindgen" --version 2>/dev/null | grep -q "$version" && "$TOOLS/bin/wasm-bindgen-test-runner" --help >/dev/null 2>&1; then
        return 0
    fi
    say "Building wasm-bindgen $version (once; about 2 minutes)"
    CARGO_TARGET_DIR="$TENSORYARD_CACHE/tools-build" cargo build --manifest-path .ci/tools/Cargo.toml --release --locked --quiet ||
        fail "cargo could not build wasm-bindgen $version"
    mkdir -p "$TOOLS/bin"
    for tool in wasm-bindgen wasm-bindgen-test-runner; do
        cp "$TENSORYARD_CACHE/tools-build/release/$tool" "$TOOLS/bin/$tool"
    done
    rm -rf "$TENSORYARD_CACHE/tools-build"
}

# What the dependencies are held against: licenses, sources, advisories. Only ./test needs it.
CARGO_DENY=0.20.2
need_cargo_deny() {
    "$TOOLS/bin/cargo-deny" --version 2>/dev/null | grep -q "$CARGO_DENY" && return 0
    say "Building cargo-deny $CARGO_DENY (once; about a minute)"
    CARGO_TARGET_DIR="$TENSORYARD_CACHE/tools-build" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
        cargo install cargo-deny --version "$CARGO_DENY" --locked --no-default-features --root "$TOOLS" --quiet ||
        fail "cargo could not install cargo-deny $CARGO_DENY"
    rm -rf "$TENSORYARD_CACHE/tools-build"
}

# need_npm FOLDER: the packages of its lock file. Their install scripts do not run; nothing here needs one.
need_npm() {
    stamp="$1/node_modules/.stamp"
    [ -e "$stamp" ] && ! [ "$1/package-lock.json" -nt "$stamp" ] && return 0
    say "Installing the npm packages of $1 (seconds)"
    (cd "$1" && npm ci --silent --ignore-scripts --cache "$TENSORYARD_CACHE/npm") || fail "npm could not install the packages of $1"
    touch "$stamp"
}

need_web_tools() {
    have node && have npm || fail "Node.js with npm is not installed (20 or later)"
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || fail "Node.js is too old: $(node --version), and 20 is needed"
    need_npm www
    need_wasm_bindgen
}

# need_wheel FOLDER REQUIREMENTS SIZE: one package of PyPI in an environment of its own. The caller says what it is.
need_wheel() {
    have python3 || fail "Python 3 is not installed"
    rm -rf "$1"
    if ! python3 -m venv "$1" >/dev/null 2>&1; then
        install_packages python3-venv
        python3 -m venv "$1" >/dev/null || fail "python3 could not make an environment in $1"
    fi
    say "Installing $(sed -n 's/^\([^#= ]*\)==.*/\1/p' "$2") (a Python wheel, $3, under $1; seconds)"
    "$1/bin/pip" install --quiet --disable-pip-version-check --require-hashes --no-deps -r "$2" || fail "pip could not install what $2 names"
}

# NVIDIA's compiler of CUDA kernels, from its wheel: compiling needs no GPU.
need_nvrtc() {
    folder="$TENSORYARD_CACHE/nvrtc"
    probe_nvrtc() {
        "$folder/bin/python" -c '
import ctypes, glob, sys
ctypes.CDLL(glob.glob(sys.prefix + "/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.*")[0])'
    }
    probe_nvrtc >/dev/null 2>&1 && return 0
    need_wheel "$folder" .ci/nvrtc.txt "90 MB"
    probe_nvrtc >/dev/null 2>&1 || fail "NVRTC is installed under $folder and cannot be loaded"
}

# The linter of the Python that ships.
need_ruff() {
    RUFF="$TENSORYARD_CACHE/ruff/bin/ruff"
    version=$(sed -n 's/^ruff==\([^ ]*\).*/\1/p' .ci/ruff.txt)
    [ "$("$RUFF" --version 2>/dev/null)" = "ruff $version" ] && return 0
    need_wheel "$TENSORYARD_CACHE/ruff" .ci/ruff.txt "10 MB"
    [ "$("$RUFF" --version 2>/dev/null)" = "ruff $version" ] || fail "ruff is installed under $TENSORYARD_CACHE/ruff and doesn't start"
}

# What every native build is linked with: the interpreter's `ctypes` calls foreign functions through libffi.
need_ffi() {
    need_packages probe_ffi libffi-dev
}

# Open MPI for several processes: to build with (its headers, and libclang, which reads them) and to start them with.
need_mpi() {
    need_packages probe_mpi libopenmpi-dev openmpi-bin
    need_packages probe_libclang libclang-dev
}
