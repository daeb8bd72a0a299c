#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_manpages.py PROGRAMS PAGES PROTOCOL.md: the manual pages are well formed, fit the screen, and lack nothing that
--help or the description of the protocol has."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAMS, PAGES, PROTOCOL = (pathlib.Path(argument) for argument in sys.argv[1:4])
WIDTH = 80


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rendered(name):
    text = output("mandoc", "-Tutf8", "-O", f"width={WIDTH}", str(PAGES / name))
    return re.sub(".\b", "", text)  # bold and underlined are overstruck


def has_word(word, text):
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)


def options_of(help_text):
    """The words that begin a row of options: "  -o, --output FORM"."""
    rows = re.findall(r"^  (-.*?)(?:  |$)", help_text, re.MULTILINE)
    return {option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row)}


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
