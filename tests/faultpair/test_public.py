"""The public API: what a plug-in imports."""

import faultpair


def test_every_public_name_is_there_and_documented():
    assert faultpair.__all__ == sorted(faultpair.__all__, key=faultpair.__all__.index)
    for name in faultpair.__all__:
        part = getattr(faultpair, name)
        assert isinstance(part, str) or part.__doc__
