"""What holds for all tests."""

from hypothesis import settings

# A first call may compile: how long it takes says nothing.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
