// SPDX-License-Identifier: Apache-2.0
#include "pages.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QTest>

namespace firstwatch::test {
namespace {

constexpr int most = 50; // where Tab goes in circles

} // namespace

bool hasFonts()
{
    const bool isAny = !QFontDatabase::families().isEmpty();
    if (!isAny)
        qWarning("No font is installed, so that nothing can be drawn. \"scripts/setup test\" installs one.");
    return isAny;
}

QStringList tabOrder(QWidget &page)
{
    QStringList names;
    page.activateWindow();
    if (!QTest::qWaitForWindowActive(&page))
        return names;
    page.setFocus();
    const QWidget *const first = QApplication::focusWidget();
    do {
        const QWidget *const each = QApplication::focusWidget();
        if (each == nullptr)
            return names;
        names += each->accessibleName().isEmpty() ? QStringLiteral("?") : each->accessibleName();
        QTest::keyClick(page.window(), Qt::Key_Tab);
    } while (QApplication::focusWidget() != first && names.size() < most);
    return names;
}

QStringList nameless(QWidget &page)
{
    QStringList found;
    for (const QWidget *each : page.findChildren<QWidget *>()) {
        const bool isOfItsOwn = each->focusPolicy() != Qt::NoFocus || qobject_cast<const QLabel *>(each) != nullptr;
        if (isOfItsOwn && each->focusProxy() == nullptr && each->accessibleName().isEmpty())
            found += QString::fromLatin1(each->metaObject()->className());
    }
    return found;
}

void shoot(QWidget &page, const QString &name)
{
    const QString directory = qEnvironmentVariable("FIRSTWATCH_SHOTS");
    QCoreApplication::processEvents(); // what has been shown or hidden takes its place
    if (!directory.isEmpty() && QDir().mkpath(directory))
        (void)page.grab().save(QDir(directory).filePath(QString(name + QStringLiteral(".png"))));
}

} // namespace firstwatch::test
