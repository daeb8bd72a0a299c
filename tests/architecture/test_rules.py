#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout rules are themselves tested: each violation is planted in a small tree and must be named."""
import pathlib
import tempfile
import unittest

import rules

LINE = "// SPDX-License-Identifier: Apache-2.0\n"

# What is planted: file, its text, and a part of the line that must come out.
PLANTED = [
    ("shared/sys/a.cpp", '#include "watch/watch.h"', "sys may not include watch"),
    ("shared/sys/a.cpp", '#include "../watch/watch.h"', "sys may not include watch"),
    ("shared/conflist/a.h", '#include "sys/sys.h"', "conflist may not include sys"),
    ("shared/conflist/a.h", "#include <QFile>", "conflist is pure functions"),
    ("shared/conflist/a.h", "#include <QtCore/QObject>", "conflist is pure functions"),
    ("shared/watch/a.h", '#  include "journal/journal.h"', "watch may not include journal"),
    ("shared/journal/a.h", '#include "patch/patch.h"', "journal may not include patch"),
    ("shared/journal/a.h", "#include <QtWidgets/QLabel>", "journal shows nothing"),
    ("shared/patch/a.h", '#include "stream/stream.h"', "patch may not include stream"),
    ("shared/stream/a.h", '#include "watch/watch.h"', "stream may not include watch"),
    ("shared/stream/a.h", '#include "service/service.h"', "stream may not include service"),
    ("service/a.cpp", '#include "ui/ui.h"', "service may not include ui"),
    ("service/a.cpp", "#include <QtGui/QColor>", "service shows nothing"),
    ("ui/models/a.cpp", '#include "patch/patch.h"', "ui may not include patch"),
    ("ui/a.cpp", '#include "app/app.h"', "ui may not include app"),
    ("app/firstwatchd/main.cpp", '#include "tests/tests.h"', "app may not include tests"),
    ("shared/watch/a.cpp", '#include "watch/nowhere.h"', "not in the project"),
    ("tests/watch/tst_a.cpp", '#include "nowhere.h"', "not in the project"),
    ("scripts/demo/a.c", '#include "sys/sys.h"', "scripts may not include sys"),
    ("shared/extra/a.cpp", "", "no rule knows"),
    ("shared/watch/CMakeLists.txt", "target_link_libraries(x PUBLIC Qt6::Widgets)", "links Qt6::Widgets"),
    ("shared/watch/long.cpp", "\n" * 500, "more than 500"),
]
ALLOWED = [
    ("shared/watch/a.cpp", '#include "watch.h"\n#include "sys/sys.h"\n#include <QFile>\n#include "moc_a.cpp"'),
    ("shared/patch/a.cpp", '#include "conflist/conflist.h"\n#include "watch/watch.h"\n#include "journal/journal.h"'),
    ("service/a.cpp", '#include "service/service.h"\n#include "stream/stream.h"\n#include "patch/patch.h"'),
    ("ui/inspector/a.cpp", '#include "ui/ui.h"\n#include "stream/stream.h"\n#include <QtWidgets/QLabel>'),
    ("app/firstwatchd/main.cpp", '#include "service/service.h"\n#include "ui/ui.h"'),
    ("tests/watch/a.cpp", '#include "helper.h"'),
    ("tests/watch/tst_a.cpp", '#include "watch/watch.h"\n#include "tests/tests.h"\n#include "tst_a.moc"'),
]
WITHOUT_LICENCE = ["shared/sys/a.h", "tests/run.py", "cmake/A.cmake", "service/CMakeLists.txt", "tool"]


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for room in rules.SHARED:
            self.write(f"shared/{room}/{room}.h", LINE)
        self.write("tests/support/helper.h", LINE)
        for room in ("service", "ui", "app", "tests"):
            self.write(f"{room}/{room}.h", LINE)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_planted_violations_are_named(self):
        for name, text, expected in PLANTED:
            with self.subTest(name=name, text=text):
                self.write(name, LINE + text)
                found = list(rules.violations(self.root))
                (self.root / name).unlink()
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{name}: ", found[0])
                self.assertIn(expected, found[0])

    def test_allowed_includes_pass(self):
        for name, text in ALLOWED:
            self.write(name, LINE + text)
        self.assertEqual(list(rules.violations(self.root)), [])

    def test_missing_licence_is_named(self):
        for name in WITHOUT_LICENCE:
            with self.subTest(name=name):
                self.write(name, "#!/bin/sh\n")
                found = list(rules.violations(self.root))
                (self.root / name).unlink()
                self.assertEqual(len(found), 1, found)
                self.assertIn("lacks the line", found[0])

    def test_build_trees_and_data_are_left_out(self):
        self.write("build/a.cpp", "no licence")
        self.write("tests/data/a.h", "no licence")
        self.assertEqual(list(rules.violations(self.root)), [])


if __name__ == "__main__":
    unittest.main()
