"""Options that turn a reading program into one that writes, runs or sends. A table, program by program."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Risky:
    """The risky options of one program."""

    long: tuple[str, ...] = ()
    """``--names``; abbreviations count, as GNU programs take them."""
    short: str = ""
    """Letters, alone or in a cluster."""
    valued: str = ""
    """Letters that take a value, so that a cluster ends there: in ``-ofile`` the file is no cluster."""
    words: tuple[str, ...] = ()
    """Words as they are, or before ``=``; single-dash names and words without a dash."""
    most_operands: int = -1
    """More operands than this write somewhere; -1 for no limit."""


def _r(long: str = "", short: str = "", valued: str = "", words: str = "", most_operands: int = -1) -> Risky:
    return Risky(
        tuple(f"--{name}" for name in long.split()),
        short,
        valued + short,
        tuple(words.split()),
        most_operands,
    )


GENERIC = _r(
    "exec execute exec-path exec-batch command cmd shell pager editor browser pre preload require eval rsh "
    "plugin "
    "plugins loader load wrapper use-compress-program compress-program output output-file outfile out-file "
    "in-place "
    "init-file rcfile init-script startup-file to-command checkpoint-action script-shell node-options "
    "output-dir "
    "output-directory hook pre-hook post-hook runner interpreter python askpass use-askpass exec-wrapper "
    "inplace "
    "write-out-file outdir report-file log-file dump-header upload-file install-types unsafe allow-run "
    "allow-all"
)
"""For programs that are not in the table: names that say it themselves."""

_GREP = _r("output open-files-in-pager", words="--pre --hostname-bin")
_TAR = _r(
    "use-compress-program to-command checkpoint-action info-script new-volume-script rmt-command rsh-command "
    "absolute-names remove-files files-from index-file volno-file overwrite unlink-first recursive-unlink",
    short="IFPT",
    valued="fCbgHKLNVX",
)
_GO = _r(
    words="-exec --exec -toolexec --toolexec -vettool --vettool -overlay --overlay -modfile --modfile "
    "-o --o -C --C "
    "-c --c -coverprofile --coverprofile -cpuprofile --cpuprofile -memprofile --memprofile -blockprofile "
    "-mutexprofile -trace --trace -outputdir --outputdir -ldflags --ldflags -gcflags --gcflags -asmflags "
    "-gccgoflags "
    "--gccgoflags -pkgdir -compiler -w -u -installsuffix -test.outputdir -workfile -mod --mod"
)
_NPM = _r(
    "script-shell node-options prefix userconfig globalconfig shell git editor viewer browser call package "
    "init-module "
    "cache tmp git-hooks scripts-prepend-node-path otplease dir cwd use-yarnrc node-gyp python config "
    "registry",
    short="Cc",
)
_MAKE = _r(
    "file makefile directory eval include-dir environment-overrides shell output-sync",
    short="fCIeE",
    valued="jloOW",
)
_CURL = _r(
    "output output-dir remote-name remote-name-all remote-header-name config upload-file dump-header "
    "cookie-jar trace "
    "trace-ascii trace-config stderr libcurl etag-save write-out engine form form-string data data-ascii "
    "data-binary "
    "data-raw data-urlencode json url-query hsts alt-svc netrc netrc-file netrc-optional proxy preproxy "
    "unix-socket "
    "abstract-unix-socket request quote prequote postquote mail-from mail-rcpt create-dirs keylog cert key "
    "ssh",
    short="oOJKTDcFdwxXQnEb",
    valued="AHeumtyYzCrU",
)
_WGET = _r(
    "output-document output-file append-output directory-prefix execute config use-askpass post-file "
    "post-data "
    "body-file body-data input-file save-cookies load-cookies warc-file hsts-file method recursive mirror "
    "rejected-log background",
    short="OoaPeirmb",
    valued="TtwQUlARDIX",
)
_SSH = _r(words="-F -E -S -W -L -R -D -A -X -Y -J -w -I", short="oFESWLRDAXYJwIfMNGQ", valued="pilbcmeO")
_COPY = _r("rsh rsync-path server sender files-from daemon config", short="oSFeJ", words="-D")
_PYTEST = _r(
    "rootdir confcutdir override-ini basetemp pdbcls junitxml junit-xml log-file debug pastebin "
    "config-file plugin "
    "cov-config result-log report-log trace-config",
    short="pco",
    valued="kmnrW",
)
_DOCKER = _r("host config context tlscacert", short="H")
_PAGER = _r(
    "log-file LOG-FILE lesskey-file lesskey-src lesskey-content tag preproc pager",
    short="oOktK",
    valued="bhjpPxyz",
)
_COMPILER = _r(
    words="-wrapper -fplugin -B -specs --specs -o -load -Xclang -plugin -fuse-ld -fpass-plugin -x", short="o"
)
_CONFIGURED = _r(
    "config config-file config-path output output-file out output-dir plugin plugins require init-script "
    "rulesdir "
    "resolve-plugins-relative-to format formatter parser reporter python-executable install-types cache-dir "
    "cache-location setup-file settings script-shell root rootdir project build loader import "
    "experimental-loader",
    short="co",
)

TABLE: Mapping[str, Risky] = MappingProxyType(
    {
        "sort": _r("output compress-program files0-from", short="o", valued="kStT"),
        "gsort": _r("output compress-program files0-from", short="o", valued="kStT"),
        "shuf": _r("output", short="o", valued="ni"),
        "uniq": _r(most_operands=1, valued="fsw"),
        "xxd": _r("revert", short="r", valued="clsgonR", most_operands=1),
        "ptx": _r(most_operands=1, short="G"),
        "tee": _r(most_operands=0),
        "split": _r("filter", valued="abClnt"),
        "csplit": _r("prefix suffix-format", short="fb"),
        "base64": _r("output", short="o", valued="wbi"),
        "iconv": _r("output", short="o", valued="ft"),
        "tree": _r("fromfile output", short="o", words="-R", valued="LIPHT"),
        "file": _r("compile magic-file files-from", short="Cm", valued="eFfP"),
        "diff": _r("output", valued="UCWFIxXS"),
        "sdiff": _r("output diff-program", short="o"),
        "diff3": _r("diff-program"),
        "patch": _r("output reject-file directory"),
        "find": _r(words="-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from"),
        "fd": _r("exec exec-batch", short="xX", valued="edtESoHc"),
        "fdfind": _r("exec exec-batch", short="xX", valued="edtESo"),
        "locate": _r("database", short="d"),
        "tar": _TAR, "gtar": _TAR, "bsdtar": _TAR,
        "cpio": _r("rsh-command to-stdout file", short="OFi"),
        "zip": _r("unzip-command test output-file out move delete log-file-path encrypt",
        words="-T -TT -m -lf -O -d -@"),
        "unzip": _r(short="od", words="-o -d"),
        "7z": _r(words="-o -sdel a d u rn"),
        "gzip": _r("suffix", short="S"), "xz": _r("files", short=""), "zstd": _r("rm output-dir-flat",
        short="o"),
        "rg": _r("pre hostname-bin search-zip", short="z", valued="ABCegfmtTdEMjr"),
        "grep": _GREP, "egrep": _GREP, "fgrep": _GREP,
        "ag": _r("pager"), "ack": _r("pager output ackrc noenv"),
        "man": _r("pager html preprocessor troff-device config-file gxditview ditroff recode",
        short="PHTXC", valued="sLmMrSe"),
        "less": _PAGER, "more": _r(), "most": _PAGER, "bat": _r("pager config-file", valued="lrHm"),
        "batcat": _r("pager config-file"), "delta": _r("pager"),
        "date": _r("set reference-set", short="s", valued="dfrI"),
        "hostname": _r("file boot", short="Fb", most_operands=0),
        "domainname": _r(most_operands=0), "hwclock": _r("set systohc hctosys adjust", short="ws"),
        "history": _r(short="wancdrsp", most_operands=1),
        "printf": _r(short="v"), "test": _r(words="-v -R"), "[": _r(words="-v -R"), "wait": _r(short="p"),
        "hash": _r(short="pdr"), "type": _r(), "jobs": _r(short="x"),
        "dmesg": _r("clear read-clear console-on console-off console-level", short="cCDEn"),
        "journalctl": _r("vacuum-size vacuum-time vacuum-files rotate flush relinquish-var setup-keys "
        "update-catalog sync cursor-file"),
        "systemctl": _r("host root machine", short="HM", words="start stop restart reload enable disable "
        "mask unmask edit "
                        "set-property kill isolate daemon-reload link import-environment set-environment "
                        "revert"),
        "ip": _r("batch force", short="b", words="netns add del delete set flush change replace exec "
        "link-set"),
        "ifconfig": _r(most_operands=1), "route": _r(most_operands=0), "arp": _r(short="sdf"),
        "sysctl": _r("write system load", short="wp"), "top": _r(), "ps": _r(), "lsof": _r(),
        "nmap": _r("script script-args datadir resume interactive", words="-oN -oX -oG -oA -iL -sC -A -oS"),
        "tcpdump": _r(short="wzr", valued="icsn"), "strings": _r(),
        "jq": _r("from-file library-path rawfile slurpfile in-place", short="fL"),
        "yq": _r("inplace in-place from-file split-exp output", short="iso"),
        "xmllint": _r("output load-trace shell", words="-o -shell"),
        "sqlite3": _r(words="-cmd -init .shell .system .output .once .read .save .backup .import .load "
        ".open -A .excel .log"),
        "psql": _r("command file output log-file variable set", short="cfoLv"),
        "mysql": _r("execute tee pager init-command plugin-dir load-data-local-dir", short="e"),
        "make": _MAKE, "gmake": _MAKE, "bmake": _MAKE,
        "ninja": _r(short="fCt"), "just": _r("shell justfile working-directory set command evaluate "
        "shell-arg edit chooser",
                                             short="fdc"),
        "task": _r("taskfile dir global", short="tdg"),
        "cmake": _r("build-and-test install", words="-P -E -C -D -S -B --toolchain"),
        "ctest": _r("build-and-test script test-dir", short="SD"),
        "meson": _r("native-file cross-file", short="C"), "bazel": _r("run_under bazelrc output_base "
        "test_wrapper"),
        "npm": _NPM, "pnpm": _NPM, "yarn": _NPM, "bun": _r("preload config cwd shell require eval import",
        short="rec"),
        "npx": _r("call package shell node-options script-shell", short="cp"),
        "cargo": _r("config manifest-path target-dir out-dir artifact-dir lockfile-path", short="ZC",
        valued="pFj"),
        "go": _GO, "gofmt": _r(short="wr", words="-cpuprofile"),
        "rustc": _r("out-dir codegen", short="oC"), "rustup": _r(words="run install uninstall default "
        "override self set"),
        "docker": _DOCKER, "podman": _r("root runroot url connection hooks-dir conmon runtime config",
        short="c"),
        "docker-compose": _r("file project-directory env-file", short="f"),
        "kubectl": _r("kubeconfig server token filename exec as cluster context", short="sf",
        words="exec run cp attach edit debug port-forward proxy"),
        "helm": _r("post-renderer kubeconfig plugin-dir"), "terraform": _r(words="-chdir -out -state "
        "-plugin-dir -var-file"),
        "ansible": _r("args module-name", short="am"), "vagrant": _r(words="ssh"),
        "curl": _CURL, "wget": _WGET, "ssh": _SSH, "scp": _COPY, "sftp": _r(short="oSFbBD"),
        "rsync": _r("rsh rsync-path files-from remove-source-files delete daemon config log-file write-batch "
                    "only-write-batch read-batch temp-dir backup-dir compare-dest password-file "
                    "early-input", short="eMT"),
        "nc": _r("exec sh-exec lua-exec", short="ecl"), "ncat": _r("exec sh-exec lua-exec output",
        short="eclo"),
        "http": _r("output download session", short="od"), "gh": _r("field raw-field input method",
        short="fFX",
                   words="extension alias config api auth secret ssh-key codespace cs"),
        "pytest": _PYTEST, "py.test": _PYTEST, "tox": _r("conf workdir override", short="cx"),
        "nox": _r("noxfile", short="f"),
        "mypy": _CONFIGURED, "ruff": _r("config output-file cache-dir", short="o"),
        "black": _r("config code", short="c"),
        "flake8": _CONFIGURED, "pylint": _r("init-hook load-plugins rcfile output py-version", short=""),
        "eslint": _CONFIGURED, "prettier": _CONFIGURED, "jest": _CONFIGURED, "vitest": _CONFIGURED,
        "mocha": _r(
            "require file config package opts reporter spec import loader node-option", short="r"),
        "tsc": _r("outDir outFile project build", words="-p --p -outDir -outFile -b"),
        "webpack": _CONFIGURED, "vite": _CONFIGURED,
        "mvn": _r("file settings global-settings toolchains", short="fstDg"), "gradle": _r(
            "init-script build-file project-dir settings-file gradle-user-home include-build",
            short="IbpcgPD"),
        "gradlew": _r("init-script build-file project-dir", short="Ibpc"),
        "ant": _r(words="-f -file -buildfile -lib -logger -listener -main"),
        "gcc": _COMPILER, "g++": _COMPILER, "cc": _COMPILER, "c++": _COMPILER, "clang": _COMPILER,
        "clang++": _COMPILER,
        "ld": _COMPILER, "as": _r(short="o"), "objcopy": _r(), "strip": _r(short="o"), "nm": _r("plugin"),
        "ar": _r("plugin"),
        "pip": _r("target prefix root config-settings index-url extra-index-url find-links python log "
        "cache-dir", short="tif"),
        "pip3": _r("target prefix root config-settings index-url extra-index-url find-links python log "
        "cache-dir", short="tif"),
        "uv": _r("with with-editable with-requirements python directory project env-file index-url index "
        "find-links config-file "
                 "cache-dir default-index extra-index-url script gui-script module", short="pfms"),
        "uvx": _r("with from python index-url index directory", short="p"),
        "poetry": _r("directory project", short="CP"),
        "apt": _r("option config-file", short="oc"), "apt-get": _r("option config-file", short="oc"),
        "apt-cache": _r("option config-file", short="oc"), "dpkg": _r("root admindir instdir pre-invoke "
        "post-invoke status-logger",
                                                                     short="irP"),
        "rpm": _r("eval pipe define root dbpath", short="EDiUF"), "dnf": _r("setopt config installroot",
        short="c"),
        "brew": _r(words="sh ruby irb edit"), "gem": _r("config-file install-dir bindir", short="in"),
        "openssl": _r(words="-out -engine -provider -provider-path -writerand -config"),
        "gpg": _r("output exec-path photo-viewer pinentry-mode options homedir keyserver-options "
        "agent-program "
                  "dirmngr-program logger-file status-file", short="o"),
        "pdflatex": _r(words="-shell-escape --shell-escape -enable-write18 --enable-write18 "
        "-output-directory"),
        "latexmk": _r(words="-e -r -pdflatex -latex -shell-escape"),
        "pandoc": _r("output filter lua-filter extract-media pdf-engine data-dir",
                                                                                short="oFL"),
        "ffmpeg": _r(most_operands=0), "convert": _r(most_operands=1), "magick": _r(most_operands=1),
        "xdg-open": _r(most_operands=0), "code": _r("install-extension extensions-dir user-data-dir"),
        "crontab": _r(most_operands=0, short="er"), "wc": _r("files0-from"), "du": _r("files0-from"),
        "cat": _r(), "ls": _r(), "head": _r(), "tail": _r(), "cut": _r(), "tr": _r(), "echo": _r(),
        "pwd": _r(),
        "ping": _r(), "stat": _r(), "true": _r(), "false": _r(), "which": _r(), "id": _r(), "whoami": _r(),
        "basename": _r(),
        "dirname": _r(), "mkdir": _r(), "touch": _r(), "seq": _r(), "sleep": _r(), "git": _r(),
        "sed": _r(), "awk": _r(),
        "gawk": _r(), "mawk": _r(), "nawk": _r(), "python": _r(), "python3": _r(), "node": _r(),
        "perl": _r(), "ruby": _r(),
    }
)  # fmt: skip
