"""Equal requests about several runs are sent once."""

from collections import Counter

from .conftest import REPLY, asked, keys


def test_a_fault_and_its_parent_share_one_call_where_nothing_else_is_shown(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine)
    assert engine.n_calls == len(lab.replies) == 6
    shared = [one for one in lab.verdicts if one["shared_from"]]
    assert len(shared) == 3
    by_key = {one["trajectory_id"]: one for one in lab.verdicts}
    for one in shared:
        origin = by_key[one["shared_from"]]
        assert origin["shared_from"] is None
        assert (one["faulty"], one["rationale"]) == (origin["faulty"], origin["rationale"])
        assert (one["latency_s"], one["prompt_tokens"], one["completion_tokens"]) == (0.0, 0, 0)
        assert origin["prompt_tokens"] > 0


def test_without_sharing_every_request_is_sent(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine, share=False)
    assert engine.n_calls == 9
    assert not any(one["shared_from"] for one in lab.verdicts)


def test_a_shared_request_can_be_sent_later(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine)
    lab.run(engine, share=False)
    assert engine.n_calls == 9
    assert len(set(keys(lab.verdicts))) == len(lab.verdicts) == 9
    assert not any(one["shared_from"] for one in lab.verdicts)


def test_repeats_and_samples_are_never_shared(lab):
    engine = asked()
    lab.study({"r": REPLY + "samples = 2\n"}).run(engine, repeats=3)
    assert engine.n_calls == 6 * 2 * 3
    assert Counter(one[2:] for one in keys(lab.verdicts)) == {
        (sample, repeat): 9 for sample in (0, 1) for repeat in (0, 1, 2)
    }
