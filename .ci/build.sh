# Shared by ./play and ./test: the builds that people use. POSIX sh, to be sourced after setup.sh.

# The command line, which also serves the playground.
build_command_line() {
    need_ffi
    say "Building the command line (release; 5 to 8 minutes from nothing)"
    cargo build --release --locked --quiet --bin tensoryard || fail "the command line did not build"
}

# A server and nothing else: seconds, where the command line takes minutes.
build_server() {
    SERVER="$CARGO_TARGET_DIR/serve/release/serve"
    cargo build --manifest-path .ci/serve/Cargo.toml --target-dir "$CARGO_TARGET_DIR/serve" --release --locked --quiet ||
        fail "the server did not build"
}

# What the playground is made of: a name for its state that other clones can find it by.
playground_inputs() {
    git ls-files -co --exclude-standard -- Cargo.toml Cargo.lock build.rs src shaders www lessons .ci/build.sh |
        sort | xargs cat 2>/dev/null | cksum | tr ' ' '-'
}

# Whether dist/ holds the optimized playground of these sources. It may also come from the cache, built by another clone.
have_playground() {
    inputs=$(playground_inputs)
    [ -e dist/.built ] && [ "$(cat dist/.built)" = "$inputs" ] && return 0
    [ -e "$TENSORYARD_CACHE/dist/$inputs/.built" ] || return 1
    say "Taking the playground from the cache (same sources)"
    rm -rf dist
    cp -a "$TENSORYARD_CACHE/dist/$inputs" dist
}

# Whether dist/ holds the first playground of these sources.
have_quick_playground() {
    inputs=quick-$(playground_inputs)
    [ -e dist/.built ] && [ "$(cat dist/.built)" = "$inputs" ]
}

# Begins to compile page and engine for the first playground, barely optimized, so that the tools are built beside it: alone,
# neither keeps two processors busy to its end. Both come from one library with the features of both, compiled once.
begin_quick_playground() {
    have_quick_playground && return 0
    say "Compiling page and engine, barely optimized, beside the next steps (minutes)"
    web_cargo quick --bins --features app,worker &
    compiling=$!
}

# A playground that is ready soon. Programs run several times slower in it and the download is larger.
build_quick_playground() {
    have_quick_playground && return 0
    say "Waiting for page and engine"
    wait "$compiling" || fail "page and engine did not compile"
    compiling=
    assemble dev
    replace_playground
}

# The page and the engine as WebAssembly, optimized and compressed, in dist/. Skipped if nothing has changed.
build_playground() {
    have_playground && return 0
    say "Building the playground (release; about 11 minutes from nothing)"
    # Each is compiled by itself, with the features that it has. Side by side: the last steps of either use one processor.
    web_cargo page --bin app --features app &
    compiling=$!
    web_cargo engine --bin worker --features worker || fail "the engine did not compile"
    wait "$compiling" || fail "the page did not compile"
    compiling=
    assemble release
    node www/optimise.mjs dist-next || fail "the playground could not be optimized and compressed"
    replace_playground
    rm -rf "$TENSORYARD_CACHE/dist"
    mkdir -p "$TENSORYARD_CACHE/dist"
    cp -a dist "$TENSORYARD_CACHE/dist/$inputs"
}

web_cargo() {
    profile=$1
    shift
    cargo build --target wasm32-unknown-unknown --profile "$profile" --no-default-features --offline --locked --quiet "$@"
}

# assemble dev|release: in another folder, which replaces dist/ when it's complete, so that a server can use dist/ meanwhile.
assemble() {
    node www/assemble.mjs "$CARGO_TARGET_DIR/wasm32-unknown-unknown" dist-next "$1" || fail "the playground could not be put together"
}

replace_playground() {
    printf '%s' "$inputs" >dist-next/.built
    rm -rf dist
    mv dist-next dist
}
