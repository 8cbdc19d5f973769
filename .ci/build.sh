# Shared by ./play and ./test: the release builds. POSIX sh, to be sourced after setup.sh.

# The command line, which also serves the playground.
build_server() {
    say "Building the command line (release)"
    cargo build --release --quiet --bin tensoryard || fail "the command line did not build"
}

# The page and the engine as WebAssembly, optimised, compressed, under dist/. Skipped when nothing changed since.
build_playground() {
    inputs=$(git ls-files -co --exclude-standard -- Cargo.toml Cargo.lock Trunk.toml src shaders www lessons .ci/build.sh |
        sort | xargs cat 2>/dev/null | cksum)
    stamp=dist/.built
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$inputs" ]; then
        return 0
    fi
    # A clone that builds what another clone has built finds it in the cache.
    kept="$TENSORYARD_CACHE/dist/$(printf '%s' "$inputs" | tr ' ' '-')"
    if [ -e "$kept/.built" ]; then
        say "Taking the playground from the cache (same sources)"
        rm -rf dist
        cp -a "$kept" dist
        return 0
    fi
    say "Building the playground (release): page and engine as WebAssembly"
    # Posters of lessons show what the command line prints, whichever build of it is there.
    for cli in "$CARGO_TARGET_DIR/release/tensoryard" "$CARGO_TARGET_DIR/debug/tensoryard"; do
        if [ -x "$cli" ]; then export TENSORYARD_CLI="$cli"; fi
    done
    trunk build --release --offline --locked || fail "trunk could not build the playground"
    node www/optimise.mjs dist || fail "the playground could not be optimised and compressed"
    printf '%s' "$inputs" >"$stamp"
    rm -rf "$TENSORYARD_CACHE/dist"
    mkdir -p "$TENSORYARD_CACHE/dist"
    cp -a dist "$kept"
}
