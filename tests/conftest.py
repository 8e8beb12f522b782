"""What all tests share: how property tests are tried.

By default every run tries the same examples, so that a run in CI is the same everywhere. `PROPERTIES=20 pytest` tries
twenty times as many, and others each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("PROPERTIES", "1"))

settings.register_profile(
    "fixed",
    derandomize=TIMES == 1,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fixed")
