"""`faultpair check-fault`: exit codes, and the refusal of a name."""

from dataclasses import dataclass

from faultpair.injector.faults.toy import CoatKept


def test_a_fault_that_keeps_its_contract_passes(faultpair):
    done = faultpair("check-fault", "wrong_tool", "--n", "12")
    assert done.code == 0
    assert "wrong_tool" in done.out
    assert faultpair("check-fault", "coat_kept", "--domain", "toy", "--n", "6").code == 0


def test_a_fault_that_breaks_its_contract_is_1(faultpair, monkeypatch):
    @dataclass(frozen=True, slots=True)
    class Undocumented(CoatKept):
        """A coat that is kept, with examples that do not hold."""

        def examples(self):
            (example, *_) = CoatKept.examples(self)
            return (type(example)(example.index, ("sing",), example.failure_step, example.cell),)

    monkeypatch.setattr("faultpair.cli.check_fault.find_fault", lambda domain, name: Undocumented())
    done = faultpair("check-fault", "coat_kept", "--domain", "toy", "--n", "6")
    assert done.code == 1
    assert "example" in done.out


def test_an_unknown_fault_is_refused_with_the_known_ones(faultpair):
    done = faultpair("check-fault", "skiped_check")
    assert done.code == 2
    assert "No fault is named 'skiped_check'. Known faults: wrong_tool, " in done.err


def test_a_fault_of_another_domain_is_refused_with_the_option_that_finds_it(faultpair):
    done = faultpair("check-fault", "missing_call", width=500)
    assert done.code == 2
    assert "The domain 'support_desk' has no fault 'missing_call'; it is one of workf" in done.err
    assert "Give --domain workflow." in done.err


def test_an_unknown_domain_is_refused(faultpair):
    done = faultpair("check-fault", "missing_call", "--domain", "nowhere")
    assert done.code == 2
    assert "No domain is named 'nowhere'." in done.err
