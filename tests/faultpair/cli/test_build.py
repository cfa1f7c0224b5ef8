"""`faultpair build`: the set, and the sentence about it."""


def test_a_build_says_what_it_made(faultpair, small, tmp_path):
    done = faultpair("build", small.folder.file, "--out", tmp_path)
    assert done.code == 0
    assert (
        done.out.split()
        == (
            f"{len(small.runs)} trajectories of {len(small.instances)} instances "
            f"in {tmp_path / 'trajectories.jsonl'}"
        ).split()
    )
    assert done.err == ""
