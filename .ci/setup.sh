# Shared by ./play and ./test: finds or installs every tool they need, saying what it does. POSIX sh, to be sourced.
#
# Tools and build outputs live under $TENSORYARD_CACHE (by default ~/.cache/tensoryard), so a fresh clone does not start
# from nothing. Nothing outside it is changed but Debian packages (chromium and friends) and the Rust toolchain.

set -eu

TENSORYARD_CACHE=${TENSORYARD_CACHE:-$HOME/.cache/tensoryard}
TOOLS=$TENSORYARD_CACHE/tools
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$TENSORYARD_CACHE/target}"
export PATH="$TOOLS/bin:$HOME/.cargo/bin:$PATH"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false

WASM_BINDGEN=0.2.130
TRUNK=0.22.1

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

need_rust() {
    have rustup || fail "rustup is not installed; see https://rustup.rs"
    channel=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
    if ! rustup run "$channel" rustc --version >/dev/null 2>&1 ||
        ! rustup target list --toolchain "$channel" --installed 2>/dev/null | grep -q wasm32-unknown-unknown ||
        ! rustup component list --toolchain "$channel" --installed 2>/dev/null | grep -q clippy; then
        say "Installing Rust $channel with wasm32, clippy and rustfmt"
        rustup toolchain install "$channel" --profile minimal -c clippy -c rustfmt -t wasm32-unknown-unknown ||
            fail "rustup could not install Rust $channel"
    fi
    export RUSTUP_TOOLCHAIN="$channel"
}

# need_package COMMAND-OR-FILE PACKAGE...: installs Debian packages if the command (or file) is missing.
need_package() {
    probe=$1
    shift
    case $probe in
    /*) [ -e "$probe" ] && return 0 ;;
    *) have "$probe" && return 0 ;;
    esac
    have apt-get || fail "'$probe' is missing and this is no Debian: install $* by hand"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    say "Installing Debian packages: $*"
    if ! $sudo apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1; then
        $sudo apt-get update >/dev/null && $sudo apt-get install -y --no-install-recommends "$@" >/dev/null ||
            fail "apt-get could not install $*"
    fi
}

# need_cargo_tool COMMAND CRATE VERSION [FEATURES]: a command-line tool, built quickly rather than to run fast.
need_cargo_tool() {
    tool=$1 crate=$2 version=$3 features=${4:-}
    if [ -x "$TOOLS/bin/$tool" ] && "$TOOLS/bin/$tool" --version 2>/dev/null | grep -q "$version"; then
        return 0
    fi
    say "Building $crate $version (once; some minutes)"
    CARGO_TARGET_DIR="$TENSORYARD_CACHE/tools-build" CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
        cargo install "$crate" --version "$version" --no-default-features --features "$features" --root "$TOOLS" --quiet ||
        fail "cargo could not install $crate $version"
    rm -rf "$TENSORYARD_CACHE/tools-build"
}

need_web_tools() {
    have node && have npm || fail "Node.js with npm is not installed (20 or later)"
    need_cargo_tool wasm-bindgen wasm-bindgen-cli "$WASM_BINDGEN"
    # Trunk does not build without a TLS library, although nothing here makes it use the network.
    need_cargo_tool trunk trunk "$TRUNK" rustls
    if [ ! -e www/node_modules/.stamp ] || [ www/package-lock.json -nt www/node_modules/.stamp ]; then
        say "Installing the page's npm packages"
        (cd www && npm ci --silent --cache "$TENSORYARD_CACHE/npm") || fail "npm could not install the page's packages"
        touch www/node_modules/.stamp
    fi
}

# NVIDIA's compiler of CUDA kernels, from its wheel: compiling needs no GPU.
NVRTC_WHEEL=12.9.86
need_nvrtc() {
    folder="$TENSORYARD_CACHE/nvrtc"
    if ls "$folder"/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.* >/dev/null 2>&1; then
        return 0
    fi
    have python3 || fail "Python 3 is not installed"
    say "Installing NVRTC $NVRTC_WHEEL (a Python wheel, 90 MB, under $folder)"
    if ! python3 -m venv "$folder" >/dev/null 2>&1; then
        need_package /usr/share/python-wheels python3-venv
        python3 -m venv "$folder" >/dev/null || fail "python3 could not make an environment in $folder"
    fi
    "$folder/bin/pip" install --quiet --disable-pip-version-check "nvidia-cuda-nvrtc-cu12==$NVRTC_WHEEL" ||
        fail "pip could not install nvidia-cuda-nvrtc-cu12"
}

# Open MPI for several processes: to build with (its headers, and libclang, which reads them) and to start them with.
need_mpi() {
    need_package mpicc libopenmpi-dev openmpi-bin
    need_package mpirun openmpi-bin
    ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || [ -n "${LIBCLANG_PATH:-}" ] ||
        need_package /usr/lib/llvm/lib/libclang.so libclang-dev
}
