#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rules.py ROOT: the layout rules of the source tree. Prints one line a violation and fails when there is one."""
import pathlib
import re
import sys

# Who may include whom, besides itself. Data flows one way (kernel, watch, patch, journal, stream, screen) and so do
# the includes; a room that is not listed may not exist.
SHARED = ("sys", "conflist", "watch", "journal", "patch", "stream")
MAY_INCLUDE = {
    "sys": (),
    "conflist": (),
    "watch": ("sys",),
    "journal": ("conflist", "sys"),
    "patch": ("conflist", "watch", "journal", "sys"),
    "stream": ("conflist", "journal", "sys"),
    "preview": ("conflist", "journal", "patch", "sys"),
    "race": ("conflist", "journal", "patch"),
    "service": SHARED,
    "ui": ("conflist", "journal", "stream", "preview", "race"),
    "app": SHARED + ("preview", "race", "service", "ui"),
    "tests": SHARED + ("preview", "race", "service", "ui", "app"),
    "scripts": (),
}
WITHOUT_SCREEN = SHARED + ("preview", "race", "service")
MAX_LINES = 500
LICENCE = "SPDX-License-Identifier: Apache-2.0"
CODE = (".cpp", ".h", ".c")
SCRIPTS = (".py", ".sh", ".cmake")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# Qt's generator writes these; they hold what their own source declares.
GENERATED = re.compile(r"(^|/)(moc_\w+\.cpp|\w+\.moc)$")
SCREEN_HEADER = re.compile(r"^(QtGui|QtWidgets)/")
SCREEN_LIBRARY = re.compile(r"\bQt6?::(Gui|Widgets)\b")
IMPURE_HEADER = re.compile(r"^(QtCore/)?Q(Object|File|Dir|SaveFile|IODevice|TemporaryFile|FileSystemWatcher)$")


def source_files(root):
    """What people wrote: no build trees, no hidden folders, no test data."""
    for top in sorted(root.iterdir()):
        if top.name == "build" or top.name.startswith("."):
            continue
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and "/data/" not in str(path.relative_to(root)):
                yield path


def room_of(path, root):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "shared" and len(parts) > 2 else parts[0]


def target_of(name, path, root):
    """The file that a quoted include names: beside the file, below shared/, below the root, or, for a test, in the
    folder of other tests whose helpers it links."""
    bases = [path.parent, root / "shared", root]
    if room_of(path, root) == "tests":
        bases += sorted((root / "tests").iterdir())
    for base in bases:
        candidate = (base / name).resolve()
        if candidate.is_file():
            return candidate
    return None


def quoted_violation(name, path, root):
    room = room_of(path, root)
    target = target_of(name, path, root)
    if target is None:
        return f'includes "{name}", which is not in the project'
    wanted = room_of(target, root)
    if wanted != room and wanted not in MAY_INCLUDE[room]:
        return f'includes "{name}", but {room} may not include {wanted}'
    return None


def angle_violation(name, room):
    if room in WITHOUT_SCREEN and SCREEN_HEADER.match(name):
        return f"includes <{name}>, but {room} shows nothing"
    if room == "conflist" and IMPURE_HEADER.match(name):
        return f"includes <{name}>, but conflist is pure functions"
    return None


def include_violations(path, root):
    room = room_of(path, root)
    if room not in MAY_INCLUDE:
        return [f"is in {room}, which no rule knows"]
    found = []
    for kind, name in INCLUDE.findall(path.read_text()):
        if kind == "<":
            found.append(angle_violation(name, room))
        elif not GENERATED.search(name):
            found.append(quoted_violation(name, path, root))
    return [text for text in found if text]


def library_violations(path, root):
    """A class of Qt Gui cannot be included without its library, so the link lists are what keeps rooms screen-free."""
    room = path.relative_to(root).parts[0]
    if room not in ("shared", "service"):
        return []
    return [f"links {match.group(0)}, but {room} shows nothing" for match in SCREEN_LIBRARY.finditer(path.read_text())]


def needs_licence(path):
    if path.suffix in CODE + SCRIPTS or path.name == "CMakeLists.txt":
        return True
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def size_and_licence_violations(path):
    lines = path.read_text().splitlines()
    found = []
    if not any(LICENCE in line for line in lines[:2]):
        found.append(f"lacks the line '{LICENCE}'")
    if len(lines) > MAX_LINES:
        found.append(f"has {len(lines)} lines, more than {MAX_LINES}")
    return found


def violations(root):
    for path in source_files(root):
        found = []
        if path.suffix in CODE:
            found += include_violations(path, root)
        if path.name == "CMakeLists.txt":
            found += library_violations(path, root)
        if needs_licence(path):
            found += size_and_licence_violations(path)
        for text in found:
            yield f"{path.relative_to(root)}: {text}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(violations(root))
    print("\n".join(found) if found else "every layout rule holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
