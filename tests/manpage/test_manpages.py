#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_manpages.py PROGRAMS PAGES SOURCES CMAKE DATE: the manual pages are well formed, fit the screen, have the date of
the version, and lack nothing that --help or the description of the protocol has."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS, PAGES, SOURCES = (pathlib.Path(argument) for argument in sys.argv[1:4])
CMAKE, DATE = sys.argv[4:6]
PROTOCOL = SOURCES / "docs/protocol.md"
WIDTH = 80


def output(*command, **how):
    return subprocess.run(command, check=True, capture_output=True, text=True, **how).stdout


def rendered(name):
    text = output("mandoc", "-Tutf8", "-O", f"width={WIDTH}", str(PAGES / name))
    return re.sub(".\b", "", text)  # bold and underlined are overstruck


def has_word(word, text):
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)


def options_of(help_text):
    """The words that begin a row of options: "  -o, --output FORM"."""
    rows = re.findall(r"^  (-.*?)(?:  |$)", help_text, re.MULTILINE)
    return {option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row)}


def release_date(**variables):
    """What CMake takes for the day of the version."""
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:
        script.write(f"include({SOURCES}/cmake/ReleaseDate.cmake)\nexecute_process(COMMAND printf ${{FIRSTWATCH_DATE}})\n")
        script.flush()
        return output(CMAKE, "-P", script.name, env={**environment, **variables})


def git(*arguments):
    """Empty where the sources are no checkout, or not a whole one."""
    done = subprocess.run(["git", "-C", str(SOURCES), *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


class Pages(unittest.TestCase):
    def pages(self):
        return sorted(PAGES.glob("firstwatch*.[178]"))

    def assert_has(self, name, words):
        text = rendered(name)
        self.assertTrue(words)
        self.assertEqual([word for word in sorted(words) if not has_word(word, text)], [])

    def test_they_are_well_formed(self):
        self.assertGreaterEqual(len(self.pages()), 2)
        for page in self.pages():
            lint = subprocess.run(["mandoc", "-Tlint", "-W", "warning", str(page)], capture_output=True, text=True)
            self.assertEqual(lint.stdout + lint.stderr, "", page.name)

    def test_their_date_is_that_of_the_version(self):
        for page in self.pages():
            title = re.search(r'^\.TH (.*)$', page.read_text(), re.MULTILINE).group(1)
            self.assertEqual(title.replace('"', "").split()[2], DATE, page.name)

    def test_the_date_can_be_set_from_outside(self):
        self.assertRegex(release_date(), r"^20\d\d-\d\d-\d\d$")
        self.assertEqual(release_date(SOURCE_DATE_EPOCH="86400"), "1970-01-02")

    def test_a_new_version_has_a_new_date(self):
        if not shutil.which("git") or git("rev-parse", "--is-shallow-repository") != "false":
            self.skipTest("no history that says when the version was changed")
        changed = git("log", "-1", "--format=%as", "-G", r"^project\(firstwatch VERSION", "--", "CMakeLists.txt")
        self.assertRegex(changed, r"^20\d\d-")
        self.assertGreaterEqual(release_date(), changed)

    def test_they_fit_the_screen(self):
        for page in self.pages():
            lines = [line for line in rendered(page.name).splitlines() if len(line) > WIDTH]
            # What is to be copied stays on one line.
            self.assertEqual([line for line in lines if not line.lstrip().startswith(("printf", "'{", "firstwatch"))], [], page.name)

    def test_the_client_lacks_nothing(self):
        overview = output(PROGRAMS / "firstwatch", "help")
        verbs = re.findall(r"^  (\w+) ", overview, re.MULTILINE)
        self.assertIn("timeline", verbs)
        helps = [output(PROGRAMS / "firstwatch", verb, "--help") for verb in verbs]
        options = {option for text in helps for option in options_of(text)}
        self.assertIn("--fail-on", options)
        self.assert_has("firstwatch.1", set(verbs) | options)
        examples = re.findall(r"^  (firstwatch .*)$", "\n".join(helps), re.MULTILINE)
        text = rendered("firstwatch.1")
        self.assertEqual([example for example in examples if example not in text], [])

    def test_the_service_lacks_nothing(self):
        text = output(PROGRAMS / "firstwatchd", "--help")
        variables = re.findall(r"^([A-Z_]+) ", output(PROGRAMS / "firstwatchd", "config"), re.MULTILINE)
        self.assertIn("DEST_CNI_NET_DIR", variables)
        commands = {"run", "cleanup", "config", "probe", "relay"}
        self.assertLessEqual(commands, set(re.findall(r"^  (\w+) ", text, re.MULTILINE)))
        self.assert_has("firstwatchd.8", commands | options_of(text) | set(variables))

    def test_the_protocol_lacks_nothing(self):
        if not (PAGES / "firstwatch-protocol.7").exists():
            self.skipTest("lowdown is not installed (scripts/setup build installs it)")
        source = PROTOCOL.read_text()
        literals = {word for word in re.findall(r"`([a-z_]+)`", source)}
        self.assertIn("unsubscribe", literals)
        self.assert_has("firstwatch-protocol.7", literals)
        text = rendered("firstwatch-protocol.7")
        for heading in re.findall(r"^## (.*)$", source, re.MULTILINE):
            self.assertIn(heading.upper(), text)


if __name__ == "__main__":
    if not shutil.which("mandoc"):
        print("mandoc is not installed (scripts/setup test installs it)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
