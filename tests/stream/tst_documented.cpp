// SPDX-License-Identifier: Apache-2.0
// docs/protocol.md, which is firstwatch-protocol(7) too: what it says there is, is there.
#include "rawclient.h"
#include "servednode.h"

#include "stream/protocol.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// The first cells of the table below a heading.
QStringList rowsBelow(const char *heading)
{
    QFile file(QStringLiteral(FIRSTWATCH_SOURCE_DIR "/docs/protocol.md"));
    const QString page = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    const QString section =
        page.section(QStringLiteral("\n## ") + QLatin1String(heading), 1).section(QStringLiteral("\n## "), 0, 0);
    QStringList cells;
    for (const QString &line : section.split(u'\n')) {
        if (line.startsWith(u'|') && !line.startsWith(QLatin1String("|---")))
            cells += line.section(u'|', 1, 1).trimmed();
    }
    return cells.mid(1); // without that of the head
}

} // namespace

class TestDocumented final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMethodAnswers_data()
    {
        QTest::addColumn<QString>("method");
        const QStringList methods = rowsBelow("Methods");
        QVERIFY(methods.contains(QStringLiteral("`subscribe`")));
        for (QString method : methods)
            QTest::newRow(qPrintable(method)) << method.remove(u'`');
    }
    void everyMethodAnswers()
    {
        QFETCH(const QString, method);
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        QVERIFY(!client.hello().isEmpty());
        const QJsonObject answer = client.call(method);
        QVERIFY(answer.contains(u"result") || answer.contains(u"error"));
        QVERIFY(answer[u"error"][u"code"].toInt() != int(stream::ErrorCode::MethodNotFound));
    }

    void everyErrorIsThere()
    {
        using stream::ErrorCode;
        QList<int> documented;
        static const QRegularExpression number(QStringLiteral("\u2212(\\d+)"));
        for (auto all = number.globalMatch(rowsBelow("Errors").join(u' ')); all.hasNext();)
            documented += -all.next().captured(1).toInt();
        std::sort(documented.begin(), documented.end());
        QList<int> known;
        for (const ErrorCode code : { ErrorCode::Parse, ErrorCode::InvalidParams, ErrorCode::MethodNotFound,
                 ErrorCode::InvalidRequest, ErrorCode::WrongMajor, ErrorCode::BootChanged, ErrorCode::TooLarge,
                 ErrorCode::Rate, ErrorCode::NotKept, ErrorCode::NotReady, ErrorCode::Unauthorised })
            known += int(code);
        QCOMPARE(documented, known);
    }
};

QTEST_GUILESS_MAIN(TestDocumented)
#include "tst_documented.moc"
