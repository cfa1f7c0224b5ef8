"""The transcript of a model: turns by trajectory, and a torn last line that is reported."""

from faultpair.env.records import ModelTurn
from faultpair.studies.transcript import open_turns


def turn(trajectory_id, index, text="yes"):
    return ModelTurn(
        trajectory_id=trajectory_id,
        index=index,
        attempt=1,
        request_hash="r",
        prompt_hash="p",
        engine="scripted",
        engine_version=None,
        model_digest=None,
        text=text,
    )


def test_turns_are_kept_by_trajectory_and_read_again(tmp_path):
    path = tmp_path / "turns.jsonl"
    turns = [turn("a", 0), turn("b", 0, text=None), turn("a", 1)]
    with open_turns(path, print) as transcript:
        for one in turns:
            transcript.add(one)
    with open_turns(path, print) as transcript:
        assert transcript.of("a") == [turns[0], turns[2]]
        assert (transcript.n_answers, len(list(transcript.turns()))) == (2, 3)


def test_a_torn_last_line_is_cut_off_and_reported(tmp_path):
    path, reports = tmp_path / "turns.jsonl", []
    with open_turns(path, reports.append) as transcript:
        transcript.add(turn("a", 0))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"trajectory_id":"a"')
    with open_turns(path, reports.append) as transcript:
        assert transcript.n_answers == 1
    assert path.read_bytes() == whole
    assert len(reports) == 1
    assert "was torn and was cut off" in reports[0]
