"""What ALWAYS would save: narrow rule lines, or nothing where remembering is not safe."""

import re
import shlex
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname
from types import MappingProxyType

from jarvis_desktop.core.policy.call_facts import Facts, WriteFacts
from jarvis_desktop.core.policy.command_check import CommandFacts, odd_characters
from jarvis_desktop.core.policy.danger import DangerList
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.known_programs import (
    DELETERS,
    INTERPRETERS,
    SENDERS,
    family_name,
    program_name,
)
from jarvis_desktop.core.policy.paths import absolute
from jarvis_desktop.core.policy.risky_options import never_by_rule, risk_of
from jarvis_desktop.core.policy.rule_match import escape
from jarvis_desktop.core.policy.rules import (
    PATH_TOOLS,
    SHELL_TOOL,
    WHOLE_TOOL,
    Rule,
    RuleLine,
    rule_set,
)

MOST_LINES = 5

_WRITE_OR_RUN = frozenset(
    "find fd fdfind tar gtar bsdtar cpio sort gsort shuf sed gsed awk gawk mawk nawk rg split csplit zip unzip 7z "
    "xxd man less more most bat batcat yq sqlite3 psql mysql mongo mongosh redis-cli gcc g++ cc c++ clang ld as "
    "ffmpeg convert magick pandoc openssl gpg tcpdump nmap ip sysctl journalctl dmesg hwclock iconv gzip ed m4 dc "
    "docker-compose ansible terraform helm vagrant xdg-open open history printf test [ command hash wait type jobs "
    "mail crontab at batch nohup rustup gh xmllint latexmk pdflatex cmake ctest rpm dpkg locate diff3 sdiff code "
    "git-receive-pack npx pnpx bunx uvx".split()
)
"""Programs whose first two words say too little about what they would do."""

_SUBCOMMANDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "git": frozenset("config push clone filter-branch filter-repo difftool mergetool daemon clean reset rm restore "
                         "credential send-email hook gc prune update-ref update-index replace instaweb".split()),
        "docker": frozenset("exec run create start attach cp build compose rm rmi kill stop system volume network push "
                            "pull load import save export commit container image buildx plugin swarm service".split()),
        "kubectl": frozenset("exec run debug attach cp delete apply create edit patch replace scale drain port-forward "
                             "proxy rollout set label annotate expose cordon uncordon taint auth config".split()),
        "npm": frozenset("install i ci add exec x uninstall un remove rm r update up upgrade publish link ln rebuild "
                         "init create config set login adduser token audit dedupe prune pack unpublish".split()),
        "pnpm": frozenset("install i add exec dlx remove rm update up publish link create config import".split()),
        "yarn": frozenset("install add exec dlx remove upgrade up publish link create config set global".split()),
        "bun": frozenset("install i add x remove update publish link create upgrade pm".split()),
        "pip": frozenset("install uninstall download wheel config cache".split()),
        "uv": frozenset("add remove pip tool sync publish self python init venv cache lock export".split()),
        "poetry": frozenset("add remove install update publish config self init lock cache env".split()),
        "pipenv": frozenset("install uninstall update lock sync shell".split()),
        "conda": frozenset("install create remove update env config uninstall".split()),
        "cargo": frozenset("install uninstall publish add remove login yank owner init new update".split()),
        "go": frozenset("install get run generate env mod tool work clean".split()),
        "gem": frozenset("install uninstall update push".split()),
        "brew": frozenset("install uninstall upgrade update remove reinstall services tap cleanup link".split()),
        "systemctl": frozenset("start stop restart reload enable disable mask unmask edit kill set-property isolate link "
                               "daemon-reload reboot poweroff halt suspend hibernate import-environment".split()),
    }
)  # fmt: skip
"""Subcommands that install, send, remove or run."""

_INSTALLERS = frozenset(
    "apt apt-get aptitude dpkg yum dnf zypper pacman apk snap flatpak port nix-env emerge easy_install pip2 mamba "
    "micromamba composer cpan luarocks opam cabal stack choco winget scoop brew".split()
)
_INSTALLER_READS = frozenset("list search show info policy depends rdepends history outdated why".split())
_RUNNERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "uv": frozenset({"run"}), "poetry": frozenset({"run"}), "pipenv": frozenset({"run"}), "pdm": frozenset({"run"}),
        "hatch": frozenset({"run"}), "rye": frozenset({"run"}), "bundle": frozenset({"exec"}), "rake": frozenset(),
        "npm": frozenset({"test", "run", "start", "t", "run-script", "stop", "restart"}), "pnpm": frozenset({"test", "run", "start"}),
        "yarn": frozenset({"test", "run", "start", "build"}), "bun": frozenset({"test", "run"}),
        "cargo": frozenset({"test", "run", "build", "bench", "check"}), "go": frozenset({"test"}), "make": frozenset(),
        "just": frozenset(), "task": frozenset(), "tox": frozenset(), "nox": frozenset(), "mvn": frozenset(),
        "gradle": frozenset(), "ninja": frozenset(), "pytest": frozenset(), "invoke": frozenset(), "ant": frozenset(),
    }
)  # fmt: skip
_NEEDS_SUBCOMMAND = frozenset(_SUBCOMMANDS) | frozenset(_RUNNERS) - {"pytest"}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What ALWAYS offers for one call."""

    lines: tuple[RuleLine, ...]
    project_decides: bool
    """A part is a project runner: the rule covers whatever the project's own file says."""
    passes: tuple[str, ...]
    """Commands or paths that would pass from then on."""
    asks: tuple[str, ...]
    """Commands or paths that would still be asked about."""


def propose(facts: Facts, danger: DangerList) -> tuple[RuleLine, ...] | None:
    """The rule lines that ALWAYS would save for this call; None when it is not offered."""
    lines = _lines(facts)
    if lines is None:
        return None
    # A proposal that would not cover the very call it is made for is no proposal.
    after = judge(facts, rule_set(Rule(line) for line in lines), danger)
    return lines if after.kind == "allow" else None


def proposal(facts: Facts, danger: DangerList) -> Proposal | None:
    """``propose`` with what a dialog says about it."""
    lines = propose(facts, danger)
    if lines is None:
        return None
    runs = isinstance(facts, CommandFacts) and any(_is_runner(command.argv) for command in facts.plain)
    passes, asks = examples(lines[0])
    return Proposal(lines, runs, passes, asks)


def examples(line: RuleLine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Three calls that ``line`` would let pass and three that it would not."""
    if line.tool == SHELL_TOOL:
        words = line.pattern
        first = words.split(" ")[0]
        return (
            (words, f"{words} --help", f"{words} README.md"),
            (f"{first} something-else" if words != first else f"{first}x", f"{words} && rm notes.txt", f"{words} > notes.txt"),
        )
    if line.tool in PATH_TOOLS:
        folder = line.pattern.removesuffix("/*")
        return (
            (f"{folder}/a.md", f"{folder}/b.txt", f"{folder}/new.py"),
            (f"{folder}/deeper/a.md", f"{folder}-old/a.md", f"{folder}/.git/config"),
        )
    return (f"{line.tool}: any call",), ()


def _lines(facts: Facts) -> tuple[RuleLine, ...] | None:
    if isinstance(facts, WriteFacts):
        return _path_lines(facts)
    if not isinstance(facts, CommandFacts) or facts.tool != SHELL_TOOL:
        return (RuleLine(facts.tool, WHOLE_TOOL),)
    if facts.obstacles or any(command.redirects for command in facts.plain):
        return None
    patterns: dict[str, None] = {}
    for command in facts.plain:
        pattern = _pattern(command.argv)
        if pattern is None:
            return None
        patterns[pattern] = None
    if not patterns or len(patterns) > MOST_LINES:
        return None
    return tuple(RuleLine(SHELL_TOOL, pattern) for pattern in patterns)


def _path_lines(facts: WriteFacts) -> tuple[RuleLine, ...] | None:
    folder = dirname(absolute(facts.path, facts.place.cwd))
    if odd_characters(folder) or "\n" in folder or folder in ("/", "/tmp", "/var/tmp", "/home"):  # noqa: S108 - named to refuse them
        return None
    return (RuleLine(facts.tool, f"{escape(folder)}/*"),)


def _pattern(argv: tuple[str, ...]) -> str | None:
    """The first two words, quoted where they must be; None when they must not be remembered."""
    words = argv[:2]
    if any("\n" in word or "\t" in word or _is_mixed(word) for word in words) or not argv[0].isascii():
        return None
    if _must_not_be_remembered(argv) or risk_of(argv, len(words)) is not None:
        return None
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[^\s'\"\\]+", word) else shlex.quote(word)


def _is_mixed(word: str) -> bool:
    """Letters of two alphabets that look alike stand in one word."""
    scripts = {unicodedata.name(char, "?").split(" ")[0] for char in word if char.isalpha()}
    return len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"}) > 1


def _must_not_be_remembered(argv: tuple[str, ...]) -> bool:
    name, family = program_name(argv[0]), family_name(argv[0])
    second = argv[1] if len(argv) > 1 else ""
    if "/" in argv[0] or "*" in argv[0] or never_by_rule(argv[0]) or name in DELETERS | SENDERS | _WRITE_OR_RUN:
        return True
    if family in INTERPRETERS:
        # Only "interpreter script": an option in second place would cover any script.
        program = program_of(argv)
        return program is None or program.source is not Source.FILE or program.at != 1
    if name in _INSTALLERS and second not in _INSTALLER_READS:
        return True
    subcommands = _SUBCOMMANDS.get(name) or _SUBCOMMANDS.get(re.sub(r"[\d.]+$", "", name), frozenset())
    return second in subcommands or (name in _NEEDS_SUBCOMMAND and (not second or second.startswith("-")))


def _is_runner(argv: tuple[str, ...]) -> bool:
    subcommands = _RUNNERS.get(program_name(argv[0]))
    return subcommands is not None and (not subcommands or argv[1:2] == () or argv[1] in subcommands)

