"""The signature of a release: over its `SHA256SUMS`, by `ssh-keygen -Y sign`, which people have at hand, offline.

The sums name `release.json`, and that names every data file of every part by hash, so one signature covers them all.
With an Ed25519 key two freezes are signed alike.
"""

import os
import re
import shutil
import subprocess
import textwrap
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError

NAMESPACE = "benchwright"
TOOL = "ssh-keygen"
MISSING = f"{TOOL} is missing; install OpenSSH (on Debian: openssh-client)"

_ARMOR = re.compile(rb"-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n")
_KEY = re.compile(r"key (SHA256:\S+)")

Sign = Callable[[bytes], bytes]


class Signed(NamedTuple):
    """What a signature shows."""

    problem: str | None
    note: str


def signer(key: Path) -> Sign:
    """Signs with a private key, or, through ssh-agent, with the private half of a public one.

    The key is tried at once. Raises `UsageError` where it cannot sign, with a line that says why.
    """
    if not key.is_file():
        raise UsageError(f"{key}: there is no such key; make one with `{TOOL} -t ed25519 -f FILE`")

    def sign(data: bytes) -> bytes:
        done = _run(["sign", "-q", "-f", str(key), "-n", NAMESPACE], data)
        if done.returncode:
            raise UsageError(f"{key}: cannot sign: {_reason(done.stderr)}")
        return done.stdout

    sign(b"")
    return sign


def check(data: bytes, signature: Path, signers: Path | None) -> Signed:
    """Whether a signature is one of `data`, and by one of the `signers` (a file as `man ssh-keygen` describes it).

    Raises `UsageError` where signers are named and ssh-keygen is missing.
    """
    if not _armored(signature.read_bytes()):
        return Signed("is no SSH signature as ssh-keygen writes it", "the signature cannot be read")
    if signers is None:
        return _consistent(data, signature)
    known = _run(["find-principals", "-s", str(signature), "-f", str(signers)], data)
    for principal in known.stdout.decode(errors="replace").split():
        names = ["-f", str(signers), "-I", principal, "-n", NAMESPACE, "-s", str(signature)]
        if not _run(["verify", *names], data).returncode:
            return Signed(None, f"signed by {principal}")
    return Signed(f"is no signature of these sums by anybody in {signers}", "the signature is not trusted")


def _consistent(data: bytes, signature: Path) -> Signed:
    if shutil.which(TOOL) is None:
        return Signed(None, f"the signature was not checked: {MISSING}")
    done = _run(["check-novalidate", "-n", NAMESPACE, "-s", str(signature)], data)
    if done.returncode:
        return Signed("is no signature of these sums", "the signature does not hold")
    key = _KEY.search(done.stdout.decode(errors="replace"))
    return Signed(None, f"signed with the key {key[1] if key else '?'}; --allowed-signers FILE says whose it is")


def _armored(data: bytes) -> bool:
    """Whether these are the very bytes that ssh-keygen writes for what they hold: it reads others as well."""
    found = _ARMOR.fullmatch(data)
    if found is None:
        return False
    try:
        held = b64decode(found[1].replace(b"\n", b""), validate=True)
    except ValueError:
        return False
    return textwrap.wrap(b64encode(held).decode(), 70) == found[1].decode().split("\n")


def _run(arguments: Sequence[str], data: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Never asks anybody: what needs a passphrase fails."""
    environment = os.environ | {"SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"}
    try:
        return subprocess.run(
            [TOOL, "-Y", *arguments],
            input=data,
            capture_output=True,
            check=False,
            env=environment,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise UsageError(MISSING) from None


def _reason(said: bytes) -> str:
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()]
    last = lines[-1] if lines else "ssh-keygen says nothing"
    if any("too open" in line for line in lines):
        return "others may read it; run `chmod 600` on it"
    if "passphrase" in last:
        return "it has a passphrase; load it with `ssh-add`, and name its .pub file instead"
    return last
