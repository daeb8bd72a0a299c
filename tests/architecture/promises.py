#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every promise of docs/promises.md is proven by tests that exist, and every numbered test has its promise there."""
import re
import sys
from pathlib import Path


def rows(page):
    """Promise number -> the tests that its row names."""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"P-\w\w", cells[0]) and len(cells) >= 4:
            found[cells[0]] = re.findall(r"`([\w/]+)`", cells[2])
    return found


def sources(tests, name):
    folder = tests / name
    return list(folder.iterdir()) if folder.is_dir() else [p for p in (tests / f"{name}.cpp", folder) if p.is_file()]


def numbers(text):
    """Numbers in names of test functions (p17_…), and in a script's comments (P-18)."""
    functions = re.findall(r"\bvoid ((?:p[0-9][0-9A-P]_)+)", text)
    return {f"P-{n}" for f in functions for n in re.findall(r"p([0-9][0-9A-P])_", f)}


def problems(root):
    tests = root / "tests"
    promised = rows((root / "docs/promises.md").read_text())
    proven = set()
    for source in tests.rglob("tst_*.cpp"):
        proven |= numbers(source.read_text())
    for number, names in promised.items():
        for name in names:
            if not sources(tests, name):
                yield f"{number}: tests/{name} does not exist"
        scripts = [p for name in names for p in sources(tests, name) if p.suffix == ""]
        if number not in proven and not any(number in script.read_text() for script in scripts):
            yield f"{number}: no test function carries the number"
    for number in sorted(proven - promised.keys()):
        yield f"{number}: proven by a test, and not promised in docs/promises.md"


if __name__ == "__main__":
    bad = list(problems(Path(sys.argv[1])))
    print("\n".join(bad) or "every promise has its test")
    sys.exit(1 if bad else 0)
