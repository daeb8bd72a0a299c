// SPDX-License-Identifier: Apache-2.0
// docs/protocol.md, which is firstwatch-protocol(7) too: what it says there is, is there.
#include "rawclient.h"
#include "servednode.h"

#include "journal/codes.h"
#include "stream/protocol.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// Each row of the table below a heading, as its cells.
QList<QStringList> rowsBelow(const char *heading)
{
    QFile file(QStringLiteral(FIRSTWATCH_SOURCE_DIR "/docs/protocol.md"));
    const QString page = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    const QString section =
        page.section(QStringLiteral("\n## ") + QLatin1String(heading), 1).section(QStringLiteral("\n## "), 0, 0);
    QList<QStringList> rows;
    for (const QString &line : section.split(u'\n')) {
        if (line.startsWith(u'|') && !line.startsWith(QLatin1String("|---")))
            rows += line.mid(1).split(u'|');
    }
    return rows.mid(1); // without that of the head
}

} // namespace

class TestDocumented final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMethodAnswers_data()
    {
        QTest::addColumn<QString>("method");
        for (const QStringList &row : rowsBelow("Methods")) {
            const QString method = row.first().trimmed().remove(u'`');
            QTest::newRow(qPrintable(method)) << method;
        }
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

    // Each with its finding, which "data" of the error carries.
    void everyErrorIsThere()
    {
        using stream::ErrorCode;
        static const QRegularExpression number(QStringLiteral("\u2212(\\d+)"));
        QMap<int, QString> documented;
        for (const QStringList &row : rowsBelow("Errors")) {
            for (auto all = number.globalMatch(row.first()); all.hasNext();)
                documented.insert(-all.next().captured(1).toInt(), row.at(1).trimmed());
        }
        for (const ErrorCode code : { ErrorCode::Parse, ErrorCode::InvalidParams, ErrorCode::MethodNotFound,
                 ErrorCode::InvalidRequest, ErrorCode::WrongMajor, ErrorCode::BootChanged, ErrorCode::TooLarge,
                 ErrorCode::Rate, ErrorCode::NotKept, ErrorCode::NotReady, ErrorCode::Unauthorised }) {
            const QByteArray line = stream::errorLine(1, code, QStringLiteral("text"), { { QStringLiteral("a"), 1 } });
            const auto response = std::get<stream::Response>(stream::parseMessage(line));
            const QString finding = response.data[u"code"].toString();
            QVERIFY2(documented.value(int(code)).contains(finding), line.constData());
            QCOMPARE(response.data[u"a"].toInt(), 1);
            QVERIFY(journal::codeEntry(finding.mid(2).toInt()) != nullptr);
        }
    }
};

QTEST_GUILESS_MAIN(TestDocumented)
#include "tst_documented.moc"
