# Functions of ./run and ./test that put on the machine what is missing. Sourced, not run.
# Each one is quick and silent when there is nothing to do.

say() { printf '%s\n' "$*" >&2; }

# Words of package lists, comments left out.
listed() { sed 's/#.*//' "$@" | tr -s '[:space:]' '\n' | sed '/^$/d'; }

# The packages among the lists that are not installed. Ubuntu 24.04 calls some of them <name>t64.
missing_packages() {
    local wanted
    wanted=$(listed "$@")
    comm -23 <(sort -u <<<"$wanted") <(
        # shellcheck disable=SC2046 # one word per package
        dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted $(sed 's/$/t64/' <<<"$wanted") 2>/dev/null |
            sed -n 's/^installed //p' | sed 's/t64$//' | sort -u
    )
}

# Installs what is missing of the lists, with a word on why. Never stops the start: what is still
# missing is said, and the program says it again where it matters.
install_packages() {
    local why=$1 missing sudo=() quiet=()
    shift
    [ -z "${JARVIS_RUN_NO_APT:-}" ] || return 0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This system has no apt. Jarvis needs what these Debian packages hold: $(listed "$@" | paste -sd ' ')"
        return 0
    fi
    missing=$(missing_packages "$@" | paste -sd ' ')
    [ -n "$missing" ] || return 0
    say "Installing system packages ($why): $missing"
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "Only root can do that, and there is no sudo. As root: apt-get install $missing"
            return 0
        fi
        say "Only root can do that, so sudo may ask for your password. (JARVIS_RUN_NO_APT=1 leaves this out.)"
        sudo=(sudo)
    fi
    [ -t 2 ] || quiet=(-qq -o Dpkg::Use-Pty=0)
    # shellcheck disable=SC2086 # one word per package
    if ! { "${sudo[@]}" apt-get update "${quiet[@]}" >&2 &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install "${quiet[@]}" -y --no-install-recommends $missing >&2; }; then
        say "Some packages could not be installed; going on without them: $missing"
    fi
}

# The first Python that fits; pyenv leaves shims of versions that then fail, so each one is tried.
find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
            2>/dev/null; then
            command -v "$name"
            return 0
        fi
    done
    say "Jarvis needs Python 3.11, 3.12 or 3.13 with its venv module, and found none."
    say "Debian and Ubuntu: apt-get install python3 python3-venv. Elsewhere: python.org, or set PYTHON=/path/to/python3."
    return 1
}

# .venv exists and works here; one that was moved or whose Python is gone is made anew.
make_venv() {
    local python
    # The folder it was made for stands in its own start scripts: a moved one is broken.
    if [ "$(cat .venv/made-for 2>/dev/null)" = "$PWD" ] && .venv/bin/python -c '' 2>/dev/null; then
        return 0
    fi
    python=$(find_python) || return 1
    say "Making a virtual environment with $("$python" -V)"
    "$python" -m venv --clear .venv
    printf '%s' "$PWD" >.venv/made-for
}

# pip in .venv: with its progress on a terminal, else silent. Its warnings are shown when it fails.
pip_install() {
    local quiet=() warned status=0
    [ -t 2 ] || quiet=(--quiet)
    warned=$(mktemp) || return 1
    .venv/bin/python -m pip install --disable-pip-version-check --no-input "${quiet[@]}" "$@" \
        3>&2 2>"$warned" >&3 || status=$?
    [ "$status" = 0 ] || cat "$warned" >&2
    rm -f "$warned"
    return "$status"
}

# The pinned packages of the given lists are in .venv, each checked against its hash. Options go on to pip.
install_requirements() {
    local list arguments=()
    for list in "$@"; do
        if [ -f "$list" ]; then arguments+=(-r "$list"); else arguments+=("$list"); fi
    done
    pip_install --require-hashes "${arguments[@]}"
}

# A word that changes when a file, the folder or the machine's Python does.
fingerprint() { { pwd; readlink -f .venv/bin/python; cat "$@"; } 2>/dev/null | cksum; }

# Whether the stamp says that all this was done before.
stamped() { [ -x .venv/bin/python ] && [ "$(cat ".venv/$1.stamp" 2>/dev/null)" = "$(fingerprint "${@:2}")" ]; }
stamp() { fingerprint "${@:2}" >".venv/$1.stamp"; }

# MCP servers that we did not write, for the tests. They lie outside of the checkout, which may be in /tmp: nothing
# there is seen in a server's room.
set_up_mcp_servers() {
    local folder=${XDG_CACHE_HOME:-$HOME/.cache}/jarvis-parts/mcp-servers wanted
    wanted=$(fingerprint requirements/mcp-servers.txt) || return 1
    [ "$(cat "$folder/stamp" 2>/dev/null)" = "$wanted" ] && return 0
    say "Installing the MCP servers that the tests speak with"
    .venv/bin/python -m venv --clear "$folder" &&
        "$folder/bin/python" -m pip install --disable-pip-version-check --no-input --quiet \
            --require-hashes -r requirements/mcp-servers.txt &&
        printf '%s' "$wanted" >"$folder/stamp"
}
