// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

namespace firstwatch::test {

// False, with the reason said, when there is no font: nothing that is drawn means anything then.
[[nodiscard]] bool hasFonts();
// The names of what Tab goes to in a window that is shown, from what has the focus first; "?" of what has none.
[[nodiscard]] QStringList tabOrder(QWidget &page);
// Widgets that a screen reader would come upon without a name.
[[nodiscard]] QStringList nameless(QWidget &page);
// Where the environment variable FIRSTWATCH_SHOTS names a directory: a picture of it there, for people to look at.
void shoot(QWidget &page, const QString &name);

} // namespace firstwatch::test
