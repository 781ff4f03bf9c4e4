"""Kinds of programs that the policy knows by name."""

from posixpath import basename


def names(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


SHELLS = names(
    "sh bash rbash dash ash zsh ksh mksh lksh pdksh yash fish csh tcsh elvish nu xonsh osh ysh pwsh "
    "powershell"
)

INTERPRETERS = names(
    "python python2 python3 pypy pypy3 ipython perl ruby jruby irb node nodejs deno bun php lua luajit "
    "tclsh wish "
    "expect guile racket julia R Rscript scala groovy elixir iex erl ghci runghc runhaskell osascript gawk "
    "awk mawk "
    "nawk jshell swift clojure sbcl octave ts-node tsx dc m4 gdb lldb"
)
"""Programs that run what they are handed as text or file."""

EDITORS = names("vi vim nvim view ex ed emacs nano pico micro helix hx kak code gedit")

PRIVILEGE = names("sudo sudoedit su doas pkexec run0 gksu gksudo kdesu kdesudo sux calife")

MULTI_CALL = names("busybox toybox coreutils")
"""One program that is many: the next word names the real one."""

WRAPPERS = (
    names(
        "env xargs timeout gtimeout nohup nice ionice stdbuf setsid time command builtin exec watch chroot "
        "unshare "
        "nsenter bwrap flock script parallel strace ltrace taskset chrt numactl prlimit rlwrap unbuffer "
        "firejail proot "
        "fakeroot faketime torsocks torify proxychains proxychains4 tsocks dbus-run-session dbus-launch "
        "xvfb-run "
        "ssh-agent start-stop-daemon daemonize tmux screen caffeinate chronic ifne entr direnv hyperfine "
        "perf valgrind "
        "coproc runuser setpriv sg newgrp systemd-run systemd-inhibit at batch crontab catchsegv eatmydata "
        "choom "
        "cgexec softlimit chpst setarch linux32 linux64 i386 x86_64 uname26 nix-shell doas cpulimit logsave "
        "with-contenv s6-setuidgid gosu su-exec tini dumb-init sshpass run-parts find-exec"
    )
    | MULTI_CALL
)

BUILTINS_THAT_CHANGE_THE_SHELL = names(
    ". source eval alias unalias bind break caller cd compgen complete compopt continue declare dirs "
    "disown enable "
    "exit export fc fg bg getopts hash jobs let local logout mapfile readarray popd pushd read readonly "
    "return set "
    "shift shopt suspend trap typeset ulimit umask unset wait"
)
"""Builtins that change what later commands mean, or run text; no rule covers them."""

DOWNLOADERS = names("curl wget wget2 aria2c http https xh fetch lynx links elinks w3m axel")

SENDERS = DOWNLOADERS | names(
    "ssh scp sftp rsync ftp lftp tftp nc ncat netcat socat telnet rclone ping ping6 dig nslookup host drill "
    "traceroute tracepath mail mailx sendmail mutt smbclient aws gsutil gcloud az s3cmd mosh curlie"
)
"""Programs that carry data to other machines."""

READERS = names(
    "cat tac head tail less more grep egrep fgrep rg ag ack ls ll dir stat file wc cut tr nl od xxd "
    "hexdump strings "
    "diff cmp comm md5sum sha1sum sha256sum sha512sum cksum b2sum du realpath readlink basename dirname "
    "test [ echo "
    "printf true false pwd which type whereis jq column sort uniq paste fold fmt rev yes seq date bat tree "
    "lsof man "
    "id whoami uname df free ps env printenv apropos whatis find fd locate git"
)
"""Programs that do not write their operands; where an option makes them write, ``risky_options`` knows."""

DELETERS = names(
    "rm mv dd cp ln install rmdir unlink shred truncate tee wipe srm trash chmod chown chgrp chattr "
    "setfacl kill "
    "pkill killall skill sponge mkfifo mknod patch rename mount umount sysctl service modprobe insmod rmmod "
    "swapon swapoff useradd usermod userdel groupadd passwd chpasswd chsh visudo iptables nft ufw loginctl "
    "blkdiscard fdisk parted sgdisk cryptsetup lvremove vgremove hdparm losetup"
)
"""Programs whose whole point is to change, overwrite or remove."""


OURS = names("jarvis-desktop jarvis_desktop")
"""This program: it asks a model, forgets rules and removes what it keeps, which only a person decides."""


def program_name(word: str) -> str:
    """The name of the program that a command word starts: no directory, no ``.exe``."""
    name = basename(word.rstrip("/")) if "/" in word else word
    return name[:-4] if name.endswith(".exe") else name


_VERSION_ENDINGS = frozenset("0123456789.-")


def family_name(word: str) -> str:
    """``program_name`` without a version: ``python3.11`` is ``python3``, ``perl5.36`` is ``perl5``."""
    name = program_name(word)
    if name[-1:] not in _VERSION_ENDINGS:
        return name
    stem = name.rstrip("0123456789.-")
    if stem != name and not name[len(stem) :].startswith("-"):
        for known in (name.split(".")[0], stem):
            if known in INTERPRETERS or known in SHELLS:
                return known
    return name
