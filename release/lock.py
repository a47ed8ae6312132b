"""The answers under a passphrase: AES-SIV, whose bytes depend on nothing but answers and key.

So two freezes are alike, as they would not be under a cipher that draws a nonce; and a byte that was changed opens
nothing. The key comes from the passphrase by scrypt, salted with the canary. Source: RFC 5297, RFC 7914.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError, UsageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

HEADER = b"benchwright answers, AES-SIV, scrypt 15 8 1\n"
SHORTEST = 16
"""Characters of a passphrase."""


def passphrase(file: Path) -> bytes:
    """What a file holds, without the line's end. Raises `UsageError` where that is no passphrase to lock with."""
    try:
        text = file.read_bytes().strip()
    except OSError as error:
        raise UsageError(f"{file}: {(error.strerror or str(error)).lower()}; it is to hold the passphrase") from None
    if len(text) < SHORTEST:
        made = f"make one with `openssl rand -base64 32 > {file}`"
        raise UsageError(f"{file}: holds a passphrase of {len(text)} characters, fewer than {SHORTEST}; {made}")
    return text


def lock(data: bytes, secret: bytes, canary: str) -> bytes:
    """Raises `UsageError` where the library is missing."""
    return HEADER + _cipher(secret, canary).encrypt(data, [HEADER, canary.encode()])


def unlock(file: Path, secret: bytes, canary: str) -> bytes:
    """What was locked. Raises `InputError` for another key, or a file that was changed; `UsageError` as `lock`."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(file, (error.strerror or str(error)).lower()) from None
    if not data.startswith(HEADER):
        raise InputError(file, "holds no answers under a key")
    cipher = _cipher(secret, canary)
    from cryptography.exceptions import InvalidTag

    try:
        return cipher.decrypt(data[len(HEADER) :], [HEADER, canary.encode()])
    except (InvalidTag, ValueError):
        raise InputError(file, "this key does not open it, or it was changed") from None


def _cipher(secret: bytes, canary: str) -> "AESSIV":
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    except ImportError:
        raise UsageError("cryptography is missing; pip install 'benchwright[encrypt]'") from None
    salt = hashlib.sha256(HEADER + canary.encode()).digest()
    return AESSIV(hashlib.scrypt(secret, salt=salt, n=2**15, r=8, p=1, maxmem=2**26, dklen=64))
