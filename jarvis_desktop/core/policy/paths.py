"""Which paths no rule may ever cover, and how paths are made comparable."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from posixpath import join, normpath


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call would run. All paths are absolute and normalised."""

    cwd: str
    home: str
    app_home: str
    """The folder of this app's own files, ``~/.jarvis`` unless moved."""
    installed_at: tuple[str, ...] = ()
    """Where this program itself lies."""
    real_home: str = ""
    """``home`` with its links resolved; empty when it is the same."""
    machine_home: str = ""
    """Another folder of app files that is protected as well: the usual one when ``app_home`` was moved."""

    @property
    def app_homes(self) -> tuple[str, ...]:
        """Every folder that holds rule files."""
        usual = self.machine_home or join(self.home, ".jarvis")
        return (self.app_home,) if usual == self.app_home else (self.app_home, usual)


class Guarded(StrEnum):
    """Why a path is never covered by a rule."""

    RULE_FILES = "rule-files"
    APP_FILES = "app-files"
    APP_PROGRAM = "app-program"
    GIT = "git"
    STARTUP = "start-up"
    SSH = "ssh"
    SECRETS = "secrets"
    AUTOSTART = "autostart"
    EDITOR = "editor"
    MCP = "mcp"
    SYSTEM = "system"


_NAMES = {
    Guarded.GIT: ".git .gitmodules .gitattributes .gitconfig .husky .hg",
    Guarded.SSH: ".ssh",
    Guarded.SECRETS: ".gnupg .pki .aws .azure .kube .docker .netrc .git-credentials .password-store .pgpass "
    ".vault-token keyrings .npmrc .pypirc",
    Guarded.STARTUP: ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
    ".zprofile "
    ".zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .xinitrc .xprofile .xsession .xsessionrc "
    ".pam_environment .envrc .tmux.conf .screenrc .pythonrc .pythonstartup sitecustomize.py usercustomize.py "
    ".vimrc .gvimrc .exrc .nvimrc .emacs .emacs.d .gdbinit .lldbinit .irbrc .pryrc .psqlrc .sqliterc "
    ".lesskey "
    ".curlrc .wgetrc .rprofile .condarc .direnvrc .oh-my-zsh .zsh .bash_completion .mailcap .forward",
    Guarded.EDITOR: ".vscode .vscode-server .idea .cursor .windsurf .zed .fleet .nova .devcontainer .claude "
    ".codex "
    ".gemini .aider.conf.yml .continue .roo .cline .kiro .github/workflows .editorconfig-exec "
    ".sublime-project "
    "agents.md claude.md gemini.md .cursorrules .windsurfrules .clinerules",
    Guarded.MCP: ".mcp.json mcp.json .mcp mcp_config.json mcp_settings.json claude_desktop_config.json",
}  # fmt: skip
NAME_GUARDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}

# Below home; components are compared without case.
HOME_GUARDS = {
    ".config/autostart": Guarded.AUTOSTART,
    ".config/systemd": Guarded.AUTOSTART,
    ".config/environment.d": Guarded.AUTOSTART,
    ".config/plasma-workspace": Guarded.AUTOSTART,
    ".config/upstart": Guarded.AUTOSTART,
    ".config/openbox": Guarded.AUTOSTART,
    ".config/i3": Guarded.AUTOSTART,
    ".config/sway": Guarded.AUTOSTART,
    ".config/hypr": Guarded.AUTOSTART,
    ".config/lxsession": Guarded.AUTOSTART,
    ".config/cron": Guarded.AUTOSTART,
    ".local/share/applications": Guarded.AUTOSTART,
    ".local/share/systemd": Guarded.AUTOSTART,
    ".local/share/dbus-1": Guarded.AUTOSTART,
    ".local/share/keyrings": Guarded.SECRETS,
    ".local/share/kwalletd": Guarded.SECRETS,
    ".mozilla": Guarded.SECRETS,
    ".thunderbird": Guarded.SECRETS,
    ".config/google-chrome": Guarded.SECRETS,
    ".config/chromium": Guarded.SECRETS,
    ".config/bravesoftware": Guarded.SECRETS,
    ".config/gh": Guarded.SECRETS,
    ".config/gcloud": Guarded.SECRETS,
    ".config/git": Guarded.GIT,
    ".config/fish": Guarded.STARTUP,
    ".config/zsh": Guarded.STARTUP,
    ".config/nvim": Guarded.STARTUP,
    ".config/vim": Guarded.STARTUP,
    ".config/emacs": Guarded.STARTUP,
    ".config/direnv": Guarded.STARTUP,
    ".config/pip": Guarded.STARTUP,
    ".config/uv": Guarded.STARTUP,
    ".local/bin": Guarded.STARTUP,
    "bin": Guarded.STARTUP,
    ".cargo/bin": Guarded.STARTUP,
    ".cargo/config.toml": Guarded.STARTUP,
    ".config/code": Guarded.EDITOR,
    ".config/code - oss": Guarded.EDITOR,
    ".config/vscodium": Guarded.EDITOR,
    ".config/cursor": Guarded.EDITOR,
    ".config/zed": Guarded.EDITOR,
    ".config/jetbrains": Guarded.EDITOR,
    ".config/sublime-text": Guarded.EDITOR,
    ".config/claude": Guarded.MCP,
    "library/launchagents": Guarded.AUTOSTART,
    "library/application support/claude": Guarded.MCP,
    "library/application support/code": Guarded.EDITOR,
}
_SYSTEM = ("/dev", "/proc", "/sys", "/etc", "/boot", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
           "/efi",            "/run", "/var/spool", "/var/lib", "/root", "/system", "/library")  # fmt: skip
_SECRET_NAME = re.compile(
    r"\.env(\..+)?|id_(rsa|dsa|ecdsa|ed25519)|.*\.(pem|key|p12|pfx|kdbx)|authorized_keys|known_hosts|credentials(\.json)?"
)

_OUR_SECRETS = re.compile(r"settings\.yaml.*|jarvis\.db.*")
"""Keys that a person set, and what was said to every agent."""
_OTHER_SECRETS = re.compile(r"/proc/.+/environ|.*/\.jarvis/(settings\.yaml|jarvis\.db)[^/]*")
"""Variables hold keys, too. A link to the home folder leads to our files by another way."""


def absolute(path: str, cwd: str) -> str:
    """``path`` as an absolute, normalised path; links are not followed and ``~`` is a name like any other."""
    whole = normpath(join(cwd, path))
    return whole[1:] if whole.startswith("//") else whole


def is_inside(path: str, folder: str) -> bool:
    """``path`` is ``folder`` or lies below it."""
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


def guard_of(path: str, place: Place) -> Guarded | None:
    """Why no rule may cover writing to the absolute ``path``; None when a rule may.

    Names are compared without case, since some disks do.
    """
    folded = path.casefold()
    if is_rule_file(path, place):
        return Guarded.RULE_FILES
    if any(is_inside(folded, home) for home in folded_homes(place)):
        return Guarded.APP_FILES
    if any(is_inside(folded, root.casefold()) for root in place.installed_at):
        return Guarded.APP_PROGRAM
    return _by_component(folded) or _below_home(folded, place) or _system(folded, place)


def is_rule_file(path: str, place: Place) -> bool:
    """``path`` says what runs unasked: approval rules, the agents' folder of them, or what code may run."""
    folded = path.casefold()
    return any(
        folded in (f"{home}/approvals.yaml", f"{home}/extensions.yaml")
        or is_inside(folded, f"{home}/approvals")
        for home in folded_homes(place)
    )


@lru_cache(maxsize=64)
def folded_homes(place: Place) -> tuple[str, ...]:
    """Every folder that holds rule files, without case."""
    return tuple(home.casefold() for home in place.app_homes)


def is_secret(path: str, place: Place) -> bool:
    """Reading the absolute ``path`` could give away a secret (decision 38)."""
    folded = path.casefold()
    parts = folded.split("/")
    kinds = {NAME_GUARDS.get(part) for part in parts} | {_below_home(folded, place)}
    if kinds & {Guarded.SSH, Guarded.SECRETS} or _OTHER_SECRETS.fullmatch(folded):
        return True
    if _OUR_SECRETS.fullmatch(parts[-1]) and "/".join(parts[:-1]) in folded_homes(place):
        return True
    return _SECRET_NAME.fullmatch(parts[-1]) is not None and not parts[-1].endswith((".example", ".sample"))


def _by_component(folded: str) -> Guarded | None:
    parts = folded.split("/")
    for at, part in enumerate(parts):
        # Some disks drop trailing dots and blanks of a name, so they count as absent.
        kind = (
            NAME_GUARDS.get(part)
            or NAME_GUARDS.get(part.rstrip(". "))
            or NAME_GUARDS.get("/".join(parts[at : at + 2]))
        )
        if kind is not None:
            return kind
    return Guarded.SECRETS if _SECRET_NAME.fullmatch(parts[-1]) and parts[-1][:3] in ("id_", "aut") else None


def _below_home(folded: str, place: Place) -> Guarded | None:
    for home in {place.home, place.real_home or place.home}:
        base = home.casefold().rstrip("/") + "/"
        if folded.startswith(base):
            parts = folded[len(base) :].split("/")
            for count in (1, 2, 3):
                kind = HOME_GUARDS.get("/".join(parts[:count]))
                if kind is not None:
                    return kind
    return None


def _system(folded: str, place: Place) -> Guarded | None:
    homes = (place.home.casefold(), place.cwd.casefold())
    if any(is_inside(folded, home) and home != "/" for home in homes):
        return None
    return Guarded.SYSTEM if any(is_inside(folded, root) for root in _SYSTEM) else None
