"""Reading instances, of any domain and from any writer."""

import json

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS, read_instances
from faultpair.env.errors import RecordError

DESK = DOMAINS["support_desk"]


def written(tmp_path, *instances):
    path = tmp_path / "instances.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(instance) + b"\n" for instance in instances))
    return path


def changed(*path, value):
    """Return an instance as plain data with one value changed."""
    plain = json.loads(msgspec.json.encode(DESK.generate(0, 0)))
    place = plain
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return plain


def test_a_file_may_hold_instances_of_several_domains(tmp_path):
    made = [domain.generate(2, index) for domain in DOMAINS.values() for index in range(4)]
    assert read_instances(written(tmp_path, *made)) == {one.instance_id: one for one in made}


def test_an_id_that_comes_twice_is_refused(tmp_path):
    instance = DESK.generate(0, 0)
    with pytest.raises(RecordError, match="line 2: instance INS-00000 is here a second time"):
        read_instances(written(tmp_path, instance, instance))


def test_an_unknown_domain_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(
        RecordError, match=r"line 1: field domain: No domain is named 'moon'\. Known"
    ):
        read_instances(written(tmp_path, changed("domain", value="moon")))


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("opened_at",), "yesterday", "opened_at is not a date: 'yesterday'"),
        (("opened_at",), "2026-01-05T00:00:00+01:00", "opened_at has a time zone"),
        (("order", "purchased_at"), "2026-02-30", "field order: purchased_at is not a date"),
        (("order", "total_cents"), 0, "field order.total_cents: Expected `int` >= 1"),
        (("order", "total_cents"), 10**40, "field order.total_cents: Expected `int` <= "),
        (("order", "currency"), "euro", "field order.currency: "),
        (("policy", "refund_window_days"), -1, "field policy.refund_window_days: "),
        (("policy", "restocking_fee_pct"), 1e300, "field policy.restocking_fee_pct: "),
        (("expected",), {}, "expected holds an action and an amount"),
        (("given",), {"email": "a@example.com"}, "given holds an email and an order_id"),
        (("customer",), None, "field customer: Expected `object`, got `null`"),
        (("domain",), 7, "field domain: Expected `str | null`, got `int`"),
    ],
)
def test_a_value_that_no_world_could_be_made_of_is_named(tmp_path, path, value, problem):
    file = written(tmp_path, DESK.generate(0, 1), changed(*path, value=value))
    with pytest.raises(RecordError) as refused:
        read_instances(file)
    assert str(refused.value).startswith(f"{file}, line 2: ")
    assert problem in str(refused.value)
