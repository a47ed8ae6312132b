"""Signatures: who vouches for a release, and that nothing of it can be changed under one."""

import shutil
import subprocess
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.release import layout
from benchwright.release.freeze import freeze
from benchwright.release.signature import signer
from benchwright.release.verify import Verified, verify

from .build import content
from .test_forgeries import sum_up

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


def made_key(folder: Path, name: str = "key", passphrase: str = "", kind: str = "ed25519") -> Path:
    command = ["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", f"{name}@lab", "-f", str(folder / name)]
    subprocess.run(command, check=True)
    return folder / name


def allowed(key: Path, who: str = "author@lab") -> Path:
    file = key.with_name("signers")
    file.write_text(f'{who} namespaces="benchwright" {key.with_suffix(".pub").read_text()}', encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_key(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def signed(key: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return freeze(content(), tmp_path_factory.mktemp("signed") / "r", sign=signer(key))


@pytest.fixture
def release(signed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(signed, tmp_path / "r")


def said(found: Verified) -> str:
    return found.notes[-1]


def blamed(found: Verified) -> set[str]:
    return {problem.file for problem in found.problems}


def test_a_trusted_signature(release: Path, key: Path) -> None:
    found = verify(release, signers=allowed(key))
    assert found.ok
    assert said(found) == "signed by author@lab"


def test_without_signers_nobody_is_trusted(release: Path) -> None:
    found = verify(release)
    assert found.ok
    assert "SHA256:" in said(found)
    assert "not who made them" in said(found)


def test_two_freezes_are_signed_alike(signed: Path, key: Path, tmp_path: Path) -> None:
    again = freeze(content(), tmp_path / "again", sign=signer(key))
    assert (again / layout.SIGNATURE).read_bytes() == (signed / layout.SIGNATURE).read_bytes()


def test_a_stranger_is_not_trusted(release: Path, tmp_path: Path) -> None:
    found = verify(release, signers=allowed(made_key(tmp_path, "other")))
    assert blamed(found) == {layout.SIGNATURE}
    assert said(found) == "the signature is not trusted"


def test_a_signature_for_something_else_is_not_trusted(release: Path, key: Path) -> None:
    """The same key over the same bytes, but as a signature of git."""
    sums = (release / layout.SUMS).read_bytes()
    command = ["ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", "git"]
    done = subprocess.run(command, input=sums, check=True, capture_output=True)
    (release / layout.SIGNATURE).write_bytes(done.stdout)
    assert blamed(verify(release, signers=allowed(key))) == {layout.SIGNATURE}
    assert blamed(verify(release)) == {layout.SIGNATURE}


def test_a_forgery_with_new_sums_is_found(release: Path, key: Path) -> None:
    """Everything made to fit, but for the signature: the file is one that no rule of a release looks into."""
    (release / "LICENSE").write_text("do as you like\n", encoding="utf-8")
    sum_up(release, layout.PUBLIC)
    assert layout.SIGNATURE in blamed(verify(release))
    assert layout.SIGNATURE in blamed(verify(release, signers=allowed(key)))


def test_a_signature_that_is_asked_for_must_be_there(release: Path, key: Path) -> None:
    (release / layout.SIGNATURE).unlink()
    assert verify(release).ok
    assert blamed(verify(release, signers=allowed(key))) == {layout.SIGNATURE}
    with pytest.raises(InputError, match="no such file of allowed signers"):
        verify(release, signers=release / "nobody")


def test_every_byte_of_a_signature_counts(release: Path) -> None:
    file = release / layout.SIGNATURE
    data = file.read_bytes()
    for at in (*range(0, len(data), 17), len(data) - 1, data.index(b"=")):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert layout.SIGNATURE in blamed(verify(release)), f"byte {at}"


@pytest.mark.parametrize(
    "edit", [b"", b"-----BEGIN SSH SIGNATURE-----\n", b"\xff" * 300], ids=["empty", "cut", "noise"]
)
def test_what_is_no_signature(edit: bytes, release: Path) -> None:
    (release / layout.SIGNATURE).write_bytes(edit)
    assert blamed(verify(release)) == {layout.SIGNATURE}


@pytest.mark.parametrize(
    ("name", "says"),
    [("missing", "no such key"), ("locked", "it has a passphrase"), ("open", "chmod 600"), ("text", "cannot sign")],
)
def test_a_key_that_cannot_sign(name: str, says: str, tmp_path: Path) -> None:
    if name == "locked":
        made_key(tmp_path, name, "very secret")
    elif name == "open":
        made_key(tmp_path, name).chmod(0o644)
    elif name == "text":
        (tmp_path / name).write_text("no key", encoding="utf-8")
    with pytest.raises(UsageError, match=says) as caught:
        signer(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_without_ssh_keygen(release: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signers = allowed(key)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = verify(release)
    assert found.ok
    assert "was not checked: ssh-keygen is missing" in said(found)
    with pytest.raises(UsageError, match="ssh-keygen is missing"):
        verify(release, signers=signers)
    with pytest.raises(UsageError, match="ssh-keygen is missing"):
        signer(key)
