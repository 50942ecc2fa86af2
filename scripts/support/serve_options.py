"""The variables of the environment that `tributary serve` reads, as its sources name them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Their values are secrets, so no flag has them.
SECRETS = {"TRIBUTARY_ADMIN_TOKEN", "TRIBUTARY_METRICS_TOKEN", "TRIBUTARY_CLUSTER_KEY", "TRIBUTARY_CLUSTER_OLD_KEYS",
           "TRIBUTARY_OIDC_CLIENT_SECRET"}


def variables():
    source = (ROOT / "Workspace/Sources/TributaryCommand/Serving/ServeValues.swift").read_text("utf-8")
    options = re.findall(r'"([a-z-]+)": \.(?:text|number|list|bool)', source)
    return {"TRIBUTARY_" + option.upper().replace("-", "_") for option in options} | SECRETS
