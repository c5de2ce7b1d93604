"""Holds every dependency against the licences and sources that deny.toml allows; names those that do not fit.

Advisories need a database from the network: `cargo deny check advisories`.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression (the old `/` counts as OR) can be met with allowed licences alone."""
    tokens = re.findall(r"[()]|[\w.+-]+", expression.replace("/", " OR "))

    def any_of() -> bool:
        found = all_of()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            found = all_of() or found
        return found

    def all_of() -> bool:
        found = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            found = one() and found
        return found

    def one() -> bool:
        if tokens[0] == "(":
            tokens.pop(0)
            found = any_of()
            tokens.pop(0)
            return found
        name = tokens.pop(0)
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            name += f" WITH {tokens.pop(0)}"
        return name in allowed

    return any_of()


def main() -> int:
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    allowed = set(rules["licenses"]["allow"])
    sources = {f"registry+{url}" for url in rules["sources"]["allow-registry"]}
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
    metadata = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    packages = json.loads(metadata.stdout)["packages"]
    faults = []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if not is_allowed(package["license"] or "none", allowed):
            faults.append(f"{name}: the licence `{package['license']}` is not allowed")
        if package["source"] not in sources and package["name"] != "img2fen":
            faults.append(f"{name}: the source `{package['source']}` is not allowed")
    print("\n".join(faults) or f"{len(packages)} packages: licences and sources as deny.toml allows", flush=True)
    return 1 if faults else 0


def test() -> None:
    """Expressions as they occur, and some that must not pass."""
    allowed = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"}
    for expression, expected in [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("none", False),
        ("MIT OR GPL-3.0-only", True),
        ("GPL-3.0-only/MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR GPL-3.0-only) AND Unicode-3.0", True),
        ("(MIT OR Unicode-3.0) AND GPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("Apache-2.0 WITH Something-else", False),
        ("GPL-3.0-only OR MIT AND Unicode-3.0", True),
    ]:
        assert is_allowed(expression, allowed) == expected, expression


if __name__ == "__main__":
    test()
    sys.exit(main())
