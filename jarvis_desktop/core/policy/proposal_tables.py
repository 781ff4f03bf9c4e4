"""What ALWAYS does not remember, and which programs let the project's own files decide."""

from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.policy.known_programs import names

WRITE_OR_RUN = names(
    "find fd fdfind tar gtar bsdtar cpio sort gsort shuf sed gsed awk gawk mawk nawk rg split csplit zip "
    "unzip 7z "
    "xxd man less more most bat batcat yq sqlite3 psql mysql mongo mongosh redis-cli gcc g++ cc c++ clang "
    "ld as "
    "ffmpeg convert magick pandoc openssl gpg tcpdump nmap ip sysctl journalctl dmesg hwclock iconv gzip "
    "ed m4 dc "
    "docker-compose ansible terraform helm vagrant xdg-open open history printf test [ command hash wait "
    "type jobs "
    "mail crontab at batch nohup rustup gh xmllint latexmk pdflatex cmake ctest rpm dpkg locate diff3 "
    "sdiff code "
    "git-receive-pack npx pnpx bunx uvx"
)
"""Programs whose first two words say too little about what they would do."""

SUBCOMMANDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "git": names(
    "config push clone filter-branch filter-repo difftool mergetool daemon clean reset rm restore "
                         "credential send-email hook gc prune update-ref update-index replace instaweb"
),
        "docker": names(
    "exec run create start attach cp build compose rm rmi kill stop system volume network push "
                            "pull load import save export commit container image buildx plugin swarm service"
),
        "kubectl": names(
    "exec run debug attach cp delete apply create edit patch replace scale drain port-forward "
                             "proxy rollout set label annotate expose cordon uncordon taint auth config"
),
        "npm": names(
    "install i ci add exec x uninstall un remove rm r update up upgrade publish link ln rebuild "
                         "init create config set login adduser token audit dedupe prune pack unpublish"
),
        "pnpm": names(
    "install i add exec dlx remove rm update up publish link create config import"
),
        "yarn": names(
    "install add exec dlx remove upgrade up publish link create config set global"
),
        "bun": names(
    "install i add x remove update publish link create upgrade pm"
),
        "pip": names(
    "install uninstall download wheel config cache"
),
        "uv": names(
    "add remove pip tool sync publish self python init venv cache lock export"
),
        "poetry": names(
    "add remove install update publish config self init lock cache env"
),
        "pipenv": names(
    "install uninstall update lock sync shell"
),
        "conda": names(
    "install create remove update env config uninstall"
),
        "cargo": names(
    "install uninstall publish add remove login yank owner init new update"
),
        "go": names(
    "install get run generate env mod tool work clean"
),
        "gem": names(
    "install uninstall update push"
),
        "brew": names(
    "install uninstall upgrade update remove reinstall services tap cleanup link"
),
        "systemctl": names(
    "start stop restart reload enable disable mask unmask edit kill set-property isolate link "
                               "daemon-reload reboot poweroff halt suspend hibernate import-environment"
),
    }
)  # fmt: skip
"""Subcommands that install, send, remove or run."""

INSTALLERS = names(
    "apt apt-get aptitude dpkg yum dnf zypper pacman apk snap flatpak port nix-env emerge easy_install "
    "pip2 mamba "
    "micromamba composer cpan luarocks opam cabal stack choco winget scoop brew"
)
INSTALLER_READS = names("list search show info policy depends rdepends history outdated why")
RUNNERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "uv": frozenset({"run"}), "poetry": frozenset({"run"}), "pipenv": frozenset({"run"}),
        "pdm": frozenset({"run"}),
        "hatch": frozenset({"run"}), "rye": frozenset({"run"}), "bundle": frozenset({"exec"}),
        "rake": frozenset(),
        "npm": frozenset({"test", "run", "start", "t", "run-script", "stop", "restart"}),
        "pnpm": frozenset({"test", "run", "start"}),
        "yarn": frozenset({"test", "run", "start", "build"}), "bun": frozenset({"test", "run"}),
        "cargo": frozenset({"test", "run", "build", "bench", "check"}), "go": frozenset({"test"}),
        "make": frozenset(),
        "just": frozenset(), "task": frozenset(), "tox": frozenset(), "nox": frozenset(), "mvn": frozenset(),
        "gradle": frozenset(), "ninja": frozenset(), "pytest": frozenset(), "invoke": frozenset(),
        "ant": frozenset(),
    }
)  # fmt: skip
NEEDS_SUBCOMMAND = frozenset(SUBCOMMANDS) | frozenset(RUNNERS) - {"pytest"}
