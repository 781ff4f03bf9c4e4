"""How wrappers and runners are called: options with values, operands before the program, subcommands."""

from collections.abc import Mapping
from types import MappingProxyType

VALUE_OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "env": "-u --unset -C --chdir -S --split-string",
        "xargs": "-a --arg-file -d --delimiter -E -I -i --replace -L --max-lines -n --max-args -P "
        "--max-procs -s --max-chars",
        "timeout": "-k --kill-after -s --signal",
        "gtimeout": "-k --kill-after -s --signal",
        "nice": "-n --adjustment",
        "ionice": "-c --class -n --classdata -p --pid",
        "stdbuf": "-i --input -o --output -e --error",
        "time": "-f --format -o --output",
        "exec": "-a",
        "watch": "-n --interval -q --equexit",
        "chroot": "--userspec --groups",
        "unshare": "-R --root -w --wd -S --setuid -G --setgid",
        "nsenter": "-t --target -S --setuid -G --setgid",
        "flock": "-w --timeout --wait -E --conflict-exit-code",
        "strace": "-e -o -p -s -u -E -a -O -S -I -P -X",
        "ltrace": "-e -o -p -s -u -a -n -l",
        "taskset": "-p --pid",
        "chrt": "-T -P -D -p",
        "numactl": "-i -m -N -C -p",
        "faketime": "-f",
        "runuser": "-u --user -g --group -G",
        "setpriv": "--reuid --regid --groups",
        "systemd-run": "-p --property -u --unit --uid --gid --slice -E --setenv -M --machine -H --host",
        "sudo": "-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U -r -t",
        "doas": "-u -C",
        "pkexec": "--user",
        "run0": "-u --user -g --group -D --chdir --setenv --unit --nice",
        "su": "-s --shell -g --group -G -w",
        "hyperfine": "-r --runs -w --warmup -p --prepare -c --cleanup -n --command-name -m -M --export-json",
        "parallel": "-j --jobs -I --delay --timeout -a --arg-file --joblog --results --colsep",
        "xvfb-run": "-s --server-args -n --server-num -f -e -w -p",
        "proxychains4": "-f",
        "proxychains": "-f",
        "cpulimit": "-l -p -e",
        "sshpass": "-p -f -d -P",
        "gdb": "-ex -x -iex -ix -cd -d",
        "firejail": "",
        "uv": "--with --with-requirements --python -p --directory --project --env-file --extra --group "
        "--package -m --module",
        "uvx": "--with --from --python -p",
        "pipx": "--spec --python",
        "npx": "-p --package -c --call",
        "bunx": "-p --package",
        "poetry": "-C --directory -P --project",
        "conda": "-n --name -p --prefix",
        "mamba": "-n --name -p --prefix",
    }
)
"""Options that take the next word as their value, so that the program after them is found."""

SKIPPED_OPERANDS: Mapping[str, int] = MappingProxyType(
    {
        "timeout": 1, "gtimeout": 1, "flock": 1, "chroot": 1, "taskset": 1, "chrt": 1, "faketime": 1,
        "cpulimit": 0,
        "setarch": 1, "sg": 1, "gosu": 1, "su-exec": 1, "chpst": 0, "s6-setuidgid": 1, "entr": 0,
    }
)  # fmt: skip
"""Operands before the program: a duration, a lock file, a root."""

RUNNERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "uv": frozenset({"run"}), "poetry": frozenset({"run"}), "pipenv": frozenset({"run"}),
        "pdm": frozenset({"run"}), "hatch": frozenset({"run"}), "rye": frozenset({"run"}),
        "conda": frozenset({"run"}), "mamba": frozenset({"run"}), "micromamba": frozenset({"run"}),
        "pixi": frozenset({"run"}), "bundle": frozenset({"exec"}), "rbenv": frozenset({"exec"}),
        "pyenv": frozenset({"exec"}), "asdf": frozenset({"exec"}), "mise": frozenset({"exec", "x"}),
        "npm": frozenset({"exec", "x"}), "pnpm": frozenset({"exec", "dlx"}), "yarn": frozenset({"exec",
        "dlx"}),
        "pipx": frozenset({"run"}), "bun": frozenset({"x"}), "direnv": frozenset({"exec"}),
        "nix": frozenset({"run", "shell", "develop"}), "git": frozenset(), "docker-compose": frozenset(),
    }
)  # fmt: skip
"""Programs whose subcommand starts another program."""

MOST_STARTS, MOST_INNER = 16, 64
"""More starting points and inner commands than these in one ``find`` nobody writes."""

PLAIN_WRAPPERS = frozenset(
    [
        "nohup",
        "nice",
        "ionice",
        "stdbuf",
        "setsid",
        "time",
        "command",
        "builtin",
        "exec",
        "chroot",
        "unshare",
        "nsenter",
        "bwrap",
        "strace",
        "ltrace",
        "taskset",
        "chrt",
        "numactl",
        "prlimit",
        "rlwrap",
        "unbuffer",
        "firejail",
        "proot",
        "fakeroot",
        "faketime",
        "torsocks",
        "torify",
        "proxychains",
        "proxychains4",
        "tsocks",
        "dbus-run-session",
        "dbus-launch",
        "xvfb-run",
        "ssh-agent",
        "start-stop-daemon",
        "caffeinate",
        "chronic",
        "ifne",
        "entr",
        "valgrind",
        "perf",
        "coproc",
        "setpriv",
        "systemd-run",
        "systemd-inhibit",
        "catchsegv",
        "eatmydata",
        "choom",
        "cgexec",
        "softlimit",
        "chpst",
        "setarch",
        "linux32",
        "linux64",
        "i386",
        "x86_64",
        "uname26",
        "cpulimit",
        "logsave",
        "timeout",
        "gtimeout",
        "sudo",
        "doas",
        "pkexec",
        "run0",
        "gosu",
        "su-exec",
        "tini",
        "dumb-init",
        "sshpass",
        "npx",
        "bunx",
        "uvx",
        "s6-setuidgid",
        "gksudo",
    ]
)
