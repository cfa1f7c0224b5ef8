"""What holds of any plan: bounds, the reference itself, calls from outside, free orders."""

from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call
from faultpair.judges.plan_metrics.corrected import sequence_by_dependency
from faultpair.judges.plan_metrics.metrics import Scores, score
from faultpair.judges.plan_metrics.variants import VARIANTS, GroundTruthPlan

KEYS = {"a": "xyz", "b": "xy", "c": "x", "d": "x"}
REQUIRED = {"a": "xy", "b": "x", "c": "", "d": ""}
POOL = tuple(
    ToolSchema(name, "", {"properties": {key: {} for key in keys}, "required": [*required]}, {})
    for (name, keys), required in zip(KEYS.items(), REQUIRED.values(), strict=True)
)
CANONICAL = {"c": "d"}


def calls(names: str = "abcd", keys: str = "wxyz", at_most: int = 5) -> st.SearchStrategy:
    args = st.dictionaries(st.sampled_from(keys), st.just(1))
    return st.lists(st.builds(Call, st.sampled_from(names), args), max_size=at_most).map(tuple)


@st.composite
def references(draw: st.DrawFn, *, optional: bool = True) -> tuple[Call, ...]:
    """A plan that its tools' schemas accept, whose arguments may be outputs of earlier calls."""
    made: list[Call] = []
    uses: dict[str, int] = {}
    for name in draw(st.lists(st.sampled_from("abcd"), max_size=5)):
        extra = set(KEYS[name]) - set(REQUIRED[name]) if optional else set()
        given_too = draw(st.sets(st.sampled_from(sorted(extra)))) if extra else set()
        sources = [f"${tool}#{use + 1}.y" for tool, n in uses.items() for use in range(n)]
        value = st.sampled_from([1, *sources])
        made.append(Call(name, {key: draw(value) for key in sorted({*REQUIRED[name], *given_too})}))
        uses[name] = uses.get(name, 0) + 1
    return tuple(made)


@st.composite
def flows(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[frozenset[int], ...]]:
    """The names of a reference and what each of its calls takes from earlier ones."""
    names = tuple(draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=5)))
    sources = tuple(
        frozenset(draw(st.sets(st.integers(0, place - 1)))) if place else frozenset()
        for place in range(len(names))
    )
    return names, sources


def variants(plan: tuple[Call, ...], reference: tuple[Call, ...]) -> dict[str, Scores]:
    truth = GroundTruthPlan.of(reference, POOL, CANONICAL)
    return {name: scorer(plan, truth) for name, scorer in VARIANTS.items()}


@given(references())
def test_the_reference_itself_scores_one_everywhere(reference):
    assert all(scores.perfect for scores in variants(reference, reference).values())


@given(calls(), references())
def test_every_score_lies_between_zero_and_one(plan, reference):
    for scores in variants(plan, reference).values():
        assert all(0 <= value <= 1 for value in (*scores.values, scores.mean))


@given(calls(), references(), st.integers(0, 5), st.sampled_from(["", "x", "wxyz"]))
def test_a_call_from_outside_never_raises_selection_or_parameters(plan, reference, place, keys):
    outside = Call("outside", dict.fromkeys(keys, 1))
    before = variants(plan, reference)
    after = variants((*plan[:place], outside, *plan[place:]), reference)
    for name in VARIANTS:
        assert after[name].tool_selection <= before[name].tool_selection
        assert after[name].parameter_structure <= before[name].parameter_structure
        assert after[name].query_coverage == before[name].query_coverage


@given(flows(), st.randoms(use_true_random=False))
def test_any_order_that_respects_the_data_flow_is_in_sequence(flow, rng):
    names, sources = flow
    left, order = set(range(len(names))), []
    while left:
        ready = [index for index in sorted(left) if not sources[index] & left]
        order.append(rng.choice(ready))
        left.remove(order[-1])
    assert sequence_by_dependency([names[index] for index in order], names, sources) == 1


@given(flows(), st.lists(st.sampled_from("abcz"), min_size=2, max_size=6), st.data())
def test_independent_neighbours_of_any_plan_may_change_places(flow, made, data):
    names, sources = flow
    place = data.draw(st.integers(0, len(made) - 2))
    one, other = made[place : place + 2]
    linked = {frozenset((names[i], names[j])) for i, found in enumerate(sources) for j in found}
    swapped = [*made[:place], other, one, *made[place + 2 :]]
    if frozenset((one, other)) not in linked:
        before = sequence_by_dependency(made, names, sources)
        assert sequence_by_dependency(swapped, names, sources) == before


@given(calls(), references())
def test_printed_parameters_are_never_above_the_upper_bound_or_those_by_schema(plan, reference):
    scores = {name: found.parameter_structure for name, found in variants(plan, reference).items()}
    assert scores["printed"] <= scores["upper_bound"]
    assert scores["printed"] <= scores["schema"]


@given(calls(), references(optional=False))
def test_by_schema_is_below_the_upper_bound_if_the_reference_gives_required_keys_alone(
    plan, reference
):
    scores = variants(plan, reference)
    assert scores["schema"].parameter_structure <= scores["upper_bound"].parameter_structure


def test_with_an_optional_key_in_the_reference_the_upper_bound_is_none():
    reference, plan = (Call("a", dict.fromkeys("xyz", 1)),), (Call("a", dict.fromkeys("xy", 1)),)
    scores = variants(plan, reference)
    assert scores["upper_bound"].parameter_structure == 0
    assert scores["schema"].parameter_structure == 1


@given(calls(), references())
def test_without_data_flow_the_printed_sequence_is_never_above_that_by_dependency(plan, reference):
    plain = tuple(Call(call.tool, dict.fromkeys(call.args, 1)) for call in reference)
    scores = variants(plan, plain)
    assert scores["printed"].sequence <= scores["dependency"].sequence


@given(calls(keys="xyz"), references())
def test_what_a_plan_is_worth_does_not_depend_on_values(plan, reference):
    other = tuple(Call(call.tool, dict.fromkeys(call.args, "$z.y")) for call in plan)
    assert score(plan, reference) == score(other, reference)
