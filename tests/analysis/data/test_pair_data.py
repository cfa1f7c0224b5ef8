"""Plain data in its forms, and one sentence for each thing that is wrong with it."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

from faultpair.analysis.data import pair_study
from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.pair_study import study_of
from faultpair.env.errors import RecordError, UsageError

ROWS = [
    {"judge": "a", "unit": "t1", "run": "t1-c", "parent": "", "flagged": "0", "type": ""},
    {"judge": "a", "unit": "t1", "run": "t1-f", "parent": "t1-c", "flagged": "1", "type": "stop"},
    {"judge": "b", "unit": "t1", "run": "t1-c", "parent": "", "flagged": "", "type": ""},
    {"judge": "b", "unit": "t1", "run": "t1-f", "parent": "t1-c", "flagged": "1", "type": "stop"},
]
FIELDS = ("judge", "run", "repeat", "flagged", "score", "unit", "parent", "type", "weight")


def as_csv(rows):
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def is_same(one, other):
    for field in FIELDS:
        left, right = getattr(one, field), getattr(other, field)
        if hasattr(left, "names"):
            assert left.names == right.names
            left, right = left.codes, right.codes
        np.testing.assert_array_equal(left, right, err_msg=field)
    return True


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a text as a file of a name."""

    def of(text, name="pairs.csv", **options):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return PairData.read(file, **options)

    return of


def test_a_verdict_is_1_0_or_unscored(read):
    data = read(as_csv(ROWS))
    flags = {
        (data.judge.name(row), data.run.name(row)): int(data.flagged[row])
        for row in range(len(data.flagged))
    }
    assert flags == {("a", "t1-c"): 0, ("a", "t1-f"): 1, ("b", "t1-c"): -1, ("b", "t1-f"): 1}
    assert data.parent.tolist() == [-1, 0]


@pytest.mark.parametrize("text", ["1", "true", "TRUE", "1.0"])
def test_a_flag_may_be_true_in_any_case_or_1(read, text):
    assert 1 in read(as_csv([row | {"flagged": text} for row in ROWS])).flagged


def test_csv_json_lines_rows_columns_and_frames_are_read_alike(read):
    data = read(as_csv(ROWS))
    values = [
        row | {"flagged": {"1": True, "0": False, "": None}[row["flagged"]]}
        | {"parent": row["parent"] or None} for row in ROWS
    ]  # fmt: skip
    lines = "".join(f"{json.dumps(row)}\n" for row in values)
    frame = pd.DataFrame(values)
    columns = {name: [row[name] for row in values] for name in values[0]}
    assert is_same(data, read(lines, "pairs.jsonl"))
    assert is_same(data, PairData.of(values))
    assert is_same(data, PairData.of(columns))
    assert is_same(data, PairData.of(frame))
    assert is_same(data, PairData.of(frame.assign(flagged=[0.0, 1.0, np.nan, 1.0])))


def test_an_arrow_table_is_read_by_its_columns():
    class Arrow:
        def to_pydict(self):
            return {name: [row[name] for row in ROWS] for name in ROWS[0]}

    assert is_same(PairData.of(ROWS), PairData.of(Arrow()))


def test_the_order_of_rows_and_columns_blank_lines_and_a_byte_order_mark_do_not_matter(read):
    turned = [dict(reversed(row.items())) for row in reversed(ROWS)]
    data = read("\ufeff" + as_csv(turned).replace("\n", "\n\n"))
    assert data.judge.names == ("a", "b")
    study, other = study_of(data), study_of(read(as_csv(ROWS)))
    np.testing.assert_array_equal(study.verdicts.flagged, other.verdicts.flagged)
    np.testing.assert_array_equal(study.runs.parent, other.runs.parent)


def test_a_row_may_be_a_pair_with_two_flags(read):
    wide = "judge,unit,run,parent,flagged_fault,flagged_clean,type\n"
    wide += "a,t1,t1-f,t1-c,1,0,stop\nb,t1,t1-f,t1-c,1,,stop\n"
    one, other = study_of(read(wide)), study_of(read(as_csv(ROWS)))
    assert one.runs.ids == other.runs.ids
    np.testing.assert_array_equal(one.verdicts.flagged, other.verdicts.flagged)
    np.testing.assert_array_equal(one.verdicts.scored, other.verdicts.scored)


def test_faults_of_one_clean_run_share_it_in_rows_of_pairs(read):
    shared = "unit,run,parent,flagged_fault,flagged_clean\nt,f1,c,1,0\nt,f2,c,0,0\n"
    own = "unit,run,flagged_fault,flagged_clean\nt,f1,1,0\nt,f2,0,0\n"
    assert read(shared).run.names == ("c", "f1", "f2")
    assert read(own).run.names == ("f1", "f1 (clean)", "f2", "f2 (clean)")


def test_a_threshold_makes_flags_of_scores(read):
    text = "unit,run,parent,score\nt,c,,0.2\nt,f,c,0.5\nt,g,c,\n"
    assert read(text, threshold=0.5).flagged.tolist() == [0, 1, -1]


LONG = "judge,unit,run,parent,flagged"
REFUSED = {
    "an unknown column": (
        "judge,cluster,run,parent,flagged\na,t,c,,0\n",
        "no column is named 'cluster' here. Columns: judge, unit, run, parent, flagged",
    ),
    "no unit": ("judge,run,parent,flagged\na,c,,0\n", "has no column 'unit': what the runs of"),
    "no flag": ("judge,unit,run,parent\na,t,c,\n", "has no column 'flagged'. Add it: 1 or true"),
    "scores without a threshold": ("unit,run,parent,score\nt,c,,.5\n", "and a threshold at which"),
    "a column twice": (f"{LONG},run\na,t,c,,0,c\n", "line 1: column 'run' is there twice"),
    "a flag of three values": (
        f"{LONG}\na,t,c,,0\na,t,f,c,2\n",
        "line 3: column flagged is '2'. Expected 1 or true, 0 or false; empty or null if",
    ),
    "a fault without its parent": (
        f"{LONG}\na,t,f,c,1\n",
        "line 2: run 'f' names the parent 'c', of which there is no row. Add the verdicts on it",
    ),
    "a parent with a parent": (
        f"{LONG}\na,t,c,,0\na,t,f,c,1\na,t,g,f,1\n",
        "line 4: run 'g' names the parent 'f', which has a parent itself",
    ),
    "a parent of another unit": (
        f"{LONG}\na,t,c,,0\na,u,f,c,1\n",
        "line 3: run 'f' is of another unit than its parent 'c'",
    ),
    "a doubled row": (
        f"{LONG}\na,t,c,,0\n\na,t,c,,1\n",
        "line 4: judge 'a' has a verdict on run 'c' already, in {file}, line 2. Keep one, or",
    ),
    "a run of two units": (
        f"{LONG}\na,t,c,,0\nb,u,c,,0\n",
        "line 3: run 'c' has unit 'u', and 't' in {file}, line 2. An id is of one run",
    ),
    "a weight below 0": (
        f"{LONG},weight\na,t,c,,0,-1\n",
        "line 2: column weight is '-1'. Expected of a pair: how much it counts, 0 or more",
    ),
    "a weight that is no number": (f"{LONG},weight\na,t,c,,0,nan\n", "column weight is 'nan'"),
    "an endless weight": (f"{LONG},weight\na,t,c,,0,1e999\n", "column weight is '1e999'"),
    "a score above 1": (f"{LONG},score\na,t,c,,0,7\n", "column score is '7'. Expected P(faulty)"),
    "a pass that is no number": (f"{LONG},repeat\na,t,c,,0,x\n", "column repeat is 'x'"),
    "an empty id": (f"{LONG}\na,t,,,0\n", "line 2: column run is empty. Expected the run, by an"),
    "a control without a parent": (
        f"{LONG},control\na,t,c,,0,tidy\n",
        "run 'c' is a control witho",
    ),
    "a clean run with a type": (f"{LONG},type\na,t,c,,0,stop\n", "run 'c' has a type, which only"),
    "an unknown cell": (
        f"{LONG},cell\na,t,c,,0,\na,t,f,c,1,odd\n",
        "run 'f' has the cell 'odd'. Expected of a fault: one of unchanged-survives, ",
    ),
    "a fault without a cell": (
        f"{LONG},cell\na,t,c,,0,\na,t,f,c,1,changed-lost\na,t,g,c,1,\n",
        "run 'g' has no cell, and other faults have one.",
    ),
    "too few cells": (f"{LONG}\na,t,c,,0\na,t\n", "line 3: 2 cells. Expected 5"),
    "an open quote": (f'{LONG}\na,t,c,,0\na,"t,f\n', "line 3: unexpected end of data."),
    "nothing": ("", "is empty. Expected a line with the names of the columns."),
    "no row": (f"{LONG}\n", "holds no verdict. Expected a row for each."),
    "letters of another code": (f"{LONG}\na,t,\xe9,,0\n".encode("latin-1"), "is not UTF-8 text"),
    "half a pair": ("unit,run,flagged_fault\nt,f,1\n", "no column 'flagged_clean'. Add it."),
    "a pair with a score": (
        "unit,run,flagged_fault,flagged_clean,score\nt,f,1,0,.5\n",
        "no column of pairs is named 'score'",
    ),
    "two flags of a clean run": (
        "unit,run,parent,flagged_fault,flagged_clean\nt,f,c,1,0\nt,g,c,1,1\n",
        "line 3: flagged_clean of 'c' is '1', and '0' in {file}, line 2.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_one_sentence_with_its_line(read, tmp_path, name):
    text, expected = REFUSED[name]
    with pytest.raises(RecordError) as refused:
        read(text)
    message = str(refused.value)
    assert expected.replace("{file}", str(tmp_path / "pairs.csv")) in message
    assert message.startswith(str(tmp_path / "pairs.csv"))
    assert "\n" not in message


def test_a_row_of_rows_in_memory_is_named_by_its_number():
    with pytest.raises(RecordError, match=r"^row 2: column flagged is 'maybe'"):
        PairData.of([ROWS[0], ROWS[1] | {"flagged": "maybe"}])


def test_a_nested_value_of_json_is_refused_with_its_line(read):
    with pytest.raises(RecordError, match=r"pairs\.jsonl, line 2"):
        read(
            '{"unit": "t", "run": "c", "parent": "", "flagged": 0}\n{"unit": ["t"]}\n',
            "pairs.jsonl",
        )


def test_a_file_of_an_unknown_form_is_refused(read):
    with pytest.raises(UsageError, match=r"Expected one that ends in \.csv, \.jsonl"):
        read(as_csv(ROWS), "pairs.txt")
    assert read(as_csv(ROWS), "pairs.txt", form="csv").judge.names == ("a", "b")


def test_parquet_without_pyarrow_says_what_to_install(read, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"install faultpair\[tables\], or write the rows as CSV"):
        read(b"PAR1", "pairs.parquet")


def test_a_threshold_beside_flags_is_refused(read):
    with pytest.raises(UsageError, match="has a column 'flagged', so a threshold"):
        read(as_csv(ROWS), threshold=0.5)


def test_a_column_is_left_out_on_request(read):
    text = as_csv([row | {"note": "x"} for row in ROWS])
    assert is_same(read(text, ignore=["note"]), read(as_csv(ROWS)))


def test_what_is_no_table_is_refused():
    with pytest.raises(UsageError, match="A int is no table"):
        PairData.of(3)
    with pytest.raises(UsageError, match="different lengths: 1 and 2"):
        PairData.of({"unit": ["a"], "run": ["b", "c"]})


def test_many_judges_of_other_runs_are_refused_before_the_memory_is_full(monkeypatch):
    monkeypatch.setattr(pair_study, "MOST_CELLS", 3)
    with pytest.raises(RecordError, match="2 judges and passes on 2 runs are more than 3 verdicts"):
        study_of(PairData.of(ROWS))
