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
    git ls-files -co --exclude-standard -- Cargo.toml Cargo.lock Trunk.toml build.rs src shaders www lessons .ci/build.sh |
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

# trunk_build ARGUMENTS...: page and engine as WebAssembly.
trunk_build() {
    trunk build "$@" --offline --locked || fail "trunk could not build the playground"
}

# A playground that is ready soon. It's barely optimized: programs run several times slower and the download is larger.
build_quick_playground() {
    inputs=quick-$(playground_inputs)
    [ -e dist/.built ] && [ "$(cat dist/.built)" = "$inputs" ] && return 0
    say "Building a first, barely optimized playground (about 6 minutes from nothing)"
    # Page and engine from one library with the features of both: it and what it needs are compiled once.
    sed 's/data-cargo-features="[a-z]*"/data-cargo-features="app,worker"/' www/index.html >www/quick.html
    trunk_build www/quick.html --html-output index.html
    printf '%s' "$inputs" >dist/.built
}

# The page and the engine as WebAssembly, optimized and compressed, in dist/. Skipped if nothing has changed. They're built in
# another folder, which replaces dist/ when it's complete, so a server can use dist/ meanwhile.
build_playground() {
    have_playground && return 0
    say "Building the playground (release; about 11 minutes from nothing)"
    rm -rf dist-next
    trunk_build --release --dist dist-next
    node www/optimise.mjs dist-next || fail "the playground could not be optimized and compressed"
    printf '%s' "$inputs" >dist-next/.built
    rm -rf "$TENSORYARD_CACHE/dist"
    mkdir -p "$TENSORYARD_CACHE/dist"
    cp -a dist-next "$TENSORYARD_CACHE/dist/$inputs"
    rm -rf dist
    mv dist-next dist
}
