"""Runs scripts of other people for the words that they give to programs, none of which is there.

A script sees the system's own programs, its project and nothing else, each of them read-only or as a layer in memory; it has no
network, no rights, few processes, and ends after seconds. What would train, install, load or wait is a stand-in that
writes down its words. Needs Linux and the right to make namespaces (root, or a container's).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

#: What scripts start runs with; the words of these are asked for.
STARTERS = (
    *("torchrun", "python", "python3", "accelerate", "deepspeed", "llamafactory-cli", "lmf"),
    *("trl", "swift", "megatron", "ray", "srun", "mpirun", "uv", "poetry", "conda", "docker"),
)
#: What scripts do besides, which does nothing here.
_IDLE = (
    *("sleep", "curl", "wget", "git", "pip", "pip3", "nvidia-smi", "rocm-smi"),
    *("huggingface-cli", "hf", "wandb", "ssh", "scp", "rsync", "apt", "apt-get", "module"),
    *("tmux", "screen", "sbatch", "scontrol", "modelscope", "pkill", "killall"),
)
#: What runs other programs; a `sh` that is no bash would not say which line it is at.
_GOES_ON = {
    **dict.fromkeys(("nohup", "sudo"), '#!/bin/sh\nexec "$@"\n'),
    **dict.fromkeys(("sh", "zsh"), '#!/bin/sh\nexec /usr/bin/bash "$@"\n'),
}
_LIMIT = 10
#: The home of the user that a script runs as.
HOME = "/home/user"
#: Bash reads it first: the line of each command, for the stand-ins.
_BEGIN = """\
set -o functrace
trap 'export PARITY_LINE=$LINENO PARITY_FILE="${BASH_SOURCE[0]:-$0}"' DEBUG
"""
_STAND_IN = """\
#!/bin/sh
{ printf '%s\\0' "$PARITY_FILE" "$PARITY_LINE" "${0##*/}" "$@"; printf '\\1\\0'; } >> /out/words
"""
#: As root of the namespaces: builds the folder that the script sees, leaves root behind, runs it there.
_SET_UP = """\
set -e
root=$1 project=$2 stand_ins=$3 script=$4 limit=$5 home=$6
mount -t tmpfs -o size=64m,nosuid,nodev none $root
mkdir -p $root/usr $root/proc $root/dev $root/out $root/tmp $root/project $root/stand-ins $root/up $root$home
mount --bind /usr $root/usr
mount -o remount,bind,ro,nosuid,nodev $root/usr
for name in bin sbin lib lib64; do [ ! -e /usr/$name ] || ln -s usr/$name $root/$name; done
mount --bind $stand_ins $root/stand-ins
mount -o remount,bind,ro,nosuid,nodev $root/stand-ins
mkdir $root/up/new $root/up/work
mount -t overlay -o nosuid,nodev,lowerdir="$project",upperdir=$root/up/new,workdir=$root/up/work none $root/project
for name in null zero random urandom; do touch $root/dev/$name; mount --bind /dev/$name $root/dev/$name; done
ln -s /proc/self/fd $root/dev/fd
mount -t proc -o nosuid,nodev,noexec none $root/proc
touch $root$home/.bashrc $root/out/words
chown 65534:65534 $root $root/out $root/tmp $root$home $root/out/words $root/up/new $root/project
inside() {
  chroot $root /usr/bin/setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
    /usr/bin/env -i HOME=$home USER=user LC_ALL=C.UTF-8 PATH=/stand-ins:/usr/bin BASH_ENV=/stand-ins/.begin "$@"
}
inside prlimit --nproc=200 --fsize=8000000 --as=1000000000 --cpu=$limit \\
  timeout -s KILL $limit bash -c 'cd /project && exec bash "$0"' "$script" </dev/null >/dev/null 2>&1 || true
inside head -c 8000000 /out/words
"""


class Call(NamedTuple):
    """What a script gave to a program."""

    #: The script, and its line: that of the first word of the command.
    file: str
    line: int
    #: The program's name and its words.
    words: list[str]


def calls(project: Path, script: str) -> list[Call]:
    """What a script of a project gives to the programs that start runs.

    Args:
        script: its path in the project, from whose folder it is started.
    """
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        (home / "root").mkdir()
        stand_ins = home / "stand-ins"
        stand_ins.mkdir()
        stand_ins.chmod(0o755)
        home.chmod(0o755)
        (stand_ins / ".begin").write_text(_BEGIN, encoding="utf-8")
        for name in (*STARTERS, *_IDLE, *_GOES_ON):
            stand_in = stand_ins / name
            text = _STAND_IN if name in STARTERS else "#!/bin/sh\n"
            text = _GOES_ON.get(name, text)
            stand_in.write_text(text, encoding="utf-8")
            stand_in.chmod(0o755)
        namespaces = ("--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
        done = subprocess.run(
            [
                *("unshare", *namespaces, "--propagation", "private", "/bin/bash", "-c", _SET_UP),
                *("-", home / "root", project.resolve(), stand_ins, script, str(_LIMIT), HOME),
            ],
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            check=True,
            capture_output=True,
            timeout=3 * _LIMIT,
        )
    rows = done.stdout.decode("utf-8", "replace").split("\1\0")
    return [
        Call(file, int(line) if line.isdigit() else 0, words[:-1])
        for file, line, *words in (row.split("\0") for row in rows if row.count("\0") > 2)
    ]
