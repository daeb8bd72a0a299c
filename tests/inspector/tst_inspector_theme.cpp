// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/theme.h"

#include <QTest>

using namespace firstwatch::ui;

namespace {

constexpr double leastForText = 4.5; // WCAG 2.1, 1.4.3

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textCanBeRead_data();
    void textCanBeRead();
    void goodIsNeverGreenForWhoCannotSeeIt();
    void contrastIsThatOfTheStandard();
};

void TestTheme::textCanBeRead_data()
{
    QTest::addColumn<int>("theme");
    QTest::addColumn<int>("role");
    QTest::addColumn<bool>("isColourBlind");
    const std::initializer_list<std::pair<const char *, Theme>> themes{ { "light", Theme::Light },
        { "dark", Theme::Dark }, { "high contrast", Theme::HighContrast } };
    const std::initializer_list<std::pair<const char *, Role>> roles{ { "plain", Role::Plain },
        { "strong", Role::Strong }, { "muted", Role::Muted }, { "good", Role::Good }, { "odd", Role::Odd },
        { "warning", Role::Warning }, { "error", Role::Error }, { "replay", Role::Replay } };
    for (const auto &[themeName, theme] : themes) {
        for (const auto &[roleName, role] : roles) {
            for (const bool isColourBlind : { false, true })
                QTest::addRow("%s %s%s", themeName, roleName, isColourBlind ? " colour-blind" : "")
                    << int(theme) << int(role) << isColourBlind;
        }
    }
}

// On the window and on the stripes of a table, and the window's colour on it, as a banner has it.
void TestTheme::textCanBeRead()
{
    QFETCH(const int, theme);
    QFETCH(const int, role);
    QFETCH(const bool, isColourBlind);
    setColourBlind(isColourBlind);
    const QPalette palette = paletteOf(Theme(theme));
    const QColor colour = colourOf(Role(role), palette);
    setColourBlind(false);
    QVERIFY(contrast(colour, palette.color(QPalette::Window)) >= leastForText);
    QVERIFY(contrast(colour, palette.color(QPalette::AlternateBase)) >= leastForText);
    QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= leastForText);
}

void TestTheme::goodIsNeverGreenForWhoCannotSeeIt()
{
    setColourBlind(true);
    for (const Theme theme : { Theme::Light, Theme::Dark, Theme::HighContrast }) {
        const QColor good = colourOf(Role::Good, paletteOf(theme));
        QVERIFY2(good.blue() > good.green() && good.blue() > good.red(), qPrintable(good.name()));
    }
    setColourBlind(false);
}

void TestTheme::contrastIsThatOfTheStandard()
{
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrast(Qt::white, Qt::white), 1.0);
    QCOMPARE(qRound(contrast(QColor(0x77, 0x77, 0x77), Qt::white) * 100), 448); // the known edge: just too little
}

QTEST_MAIN(TestTheme)
#include "tst_inspector_theme.moc"
