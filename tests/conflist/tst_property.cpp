// SPDX-License-Identifier: Apache-2.0
#include "../fuzz/invariants.h"
#include "templates.h"

#include <QTest>

#include <random>

using namespace firstwatch::conflist;
using namespace firstwatch::test;

namespace {

// Writes configs that a runtime accepts, each in another hand: blanks, line ends, order, repeats, ours anywhere.
class Writer {
public:
    explicit Writer(unsigned seed)
        : m_random(seed)
    {
        m_newline = oneOf({ "\n", "\r\n", "" });
        m_unit = oneOf({ " ", "  ", "   ", "    ", "\t" });
        m_colon = oneOf({ ":", ": ", " : ", " :", ":  " });
        m_comma = oneOf({ ",", ", ", " , " });
    }
    QByteArray list()
    {
        QByteArrayList members{ "\"name\"" + m_colon + "\"n\"", "\"plugins\"" + m_colon + plugins() };
        if (chance(2))
            members.prepend("\"cniVersion\"" + m_colon + "\"1.0.0\"");
        if (chance(4))
            members.append("\"x\"" + m_colon + value(2, 1));
        std::shuffle(members.begin(), members.end(), m_random);
        return edge() + bracketed('{', members, '}', 0) + edge();
    }
    QByteArray single()
    {
        QByteArrayList members{ "\"name\"" + m_colon + "\"n\"", "\"type\"" + m_colon + "\"a\"" };
        for (int more = number(3); more > 0; --more)
            members.append("\"x" + QByteArray::number(more) + '"' + m_colon + value(2, 1));
        std::shuffle(members.begin(), members.end(), m_random);
        return edge() + bracketed('{', members, '}', 0) + edge();
    }

private:
    int number(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(m_random); }
    bool chance(int oneIn) { return number(oneIn) == 0; }
    QByteArray oneOf(const QByteArrayList &choices) { return choices[number(int(choices.size()))]; }
    QByteArray edge() { return chance(3) ? oneOf({ "\n", "\r\n", " ", "\n\n", "\t" }) : QByteArray(); }

    QByteArray bracketed(char opening, const QByteArrayList &items, char closing, int level)
    {
        if (items.isEmpty())
            return QByteArray(1, opening) + oneOf({ "", " " }) + closing;
        if (m_newline.isEmpty() || chance(3)) {
            const QByteArray padding = oneOf({ "", "", " " });
            return opening + padding + items.join(m_comma) + padding + closing;
        }
        const QByteArray outer = m_newline + m_unit.repeated(level);
        const QByteArray inner = chance(8) ? outer : outer + m_unit;
        return opening + inner + items.join(',' + inner) + outer + closing;
    }
    QByteArray value(int depth, int level)
    {
        if (depth == 0 || chance(2))
            return oneOf({ "1.0", "1e3", "-0", "18446744073709551615", "\"\\ud800\"", "\"\xFF\"", "\"a\\\"b\\\\\"",
                "true", "null", "\"}],\"", "\"__X__\"" });
        QByteArrayList items;
        const bool object = chance(2);
        for (int count = number(3); count > 0; --count)
            items.append((object ? "\"k\"" + m_colon : QByteArray()) + value(depth - 1, level + 1));
        return object ? bracketed('{', items, '}', level) : bracketed('[', items, ']', level);
    }
    QByteArray pluginOf(const QByteArray &type)
    {
        QByteArrayList members{ "\"type\"" + m_colon + '"' + type + '"' };
        for (int more = number(3); more > 0; --more)
            members.append("\"m" + QByteArray::number(more) + '"' + m_colon + value(2, 3));
        std::shuffle(members.begin(), members.end(), m_random);
        return bracketed('{', members, '}', 2);
    }
    QByteArray plugins()
    {
        QByteArrayList elements{ pluginOf("a") };
        for (int more = number(4); more > 0; --more)
            elements.insert(number(int(elements.size()) + 1), pluginOf(oneOf({ "b", "own", "two", "loopback" })));
        return bracketed('[', elements, ']', 1);
    }

    std::mt19937 m_random;
    QByteArray m_newline;
    QByteArray m_unit;
    QByteArray m_colon;
    QByteArray m_comma;
};

} // namespace

class tst_Property : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p16_anyHandwritingIsKept_data();
    void p16_anyHandwritingIsKept();
};

void tst_Property::p16_anyHandwritingIsKept_data()
{
    QTest::addColumn<unsigned>("firstSeed");
    for (unsigned seed = 0; seed < 10000; seed += 1000)
        QTest::addRow("from seed %u", seed) << seed;
}

void tst_Property::p16_anyHandwritingIsKept()
{
    QFETCH(unsigned, firstSeed);
    const QByteArrayList templates{ R"({"type":"own","n":{"a":[1,2.0],"b":[{}],"c":[]}})", R"({"type":"two"})" };
    const QList<Options> all{ optionsFor(templates), optionsFor(templates, ChainPosition::Keep),
        optionsFor(templates.first(1)), optionsFor(templates.last(1), ChainPosition::Keep) };
    for (unsigned seed = firstSeed; seed < firstSeed + 1000; ++seed) {
        Writer writer(seed);
        const Options &options = all[seed % 4];
        const QByteArray list = writer.list();
        QCOMPARE(brokenRule("a.conflist", list, options), nullptr);
        const Action action = plan("a.conflist", list, options).action;
        QVERIFY2(action == Action::Patch || action == Action::None, list.constData());
        if (seed % 5 != 0)
            continue;
        const QByteArray single = writer.single();
        QCOMPARE(brokenRule("a.conf", single, options), nullptr);
        QCOMPARE(plan("a.conf", single, options).action, Action::Convert);
    }
}

QTEST_GUILESS_MAIN(tst_Property)
#include "tst_property.moc"
