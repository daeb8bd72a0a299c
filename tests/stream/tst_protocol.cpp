// SPDX-License-Identifier: Apache-2.0
#include "stream/protocol.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch::stream;

namespace {

// What a line is, in one text.
QByteArray shown(const Message &message)
{
    if (const auto *request = std::get_if<Request>(&message))
        return "request " + QByteArray::number(request->id) + ' ' + request->method.toUtf8() + ' '
            + QJsonDocument(request->params).toJson(QJsonDocument::Compact);
    if (const auto *response = std::get_if<Response>(&message))
        return "response " + QByteArray::number(response->id) + ' '
            + QByteArray::number(response->error ? int(*response->error) : 0) + ' '
            + QJsonDocument(response->result).toJson(QJsonDocument::Compact);
    if (const auto *notification = std::get_if<Notification>(&message))
        return "notification " + notification->method.toUtf8() + ' '
            + QJsonDocument(notification->params).toJson(QJsonDocument::Compact);
    const auto &malformed = std::get<Malformed>(message);
    return "malformed " + QByteArray::number(int(malformed.code)) + ' '
        + (malformed.id ? QByteArray::number(*malformed.id) : QByteArray("-"));
}

} // namespace

class tst_Protocol : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLineIsOneOfFour_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *line, const char *expected) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(expected);
        };
        row("request", R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1}})", R"(request 7 ping {"a":1})");
        row("request without params", R"({"jsonrpc":"2.0","id":0,"method":"ping"})", "request 0 ping {}");
        row("result", R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})", R"(response 7 0 {"a":1})");
        row("error", R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}})", "response 7 -32601 {}");
        row("error to nobody", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})", "response -1 -32700 {}");
        row("notification", R"({"jsonrpc":"2.0","method":"gap","params":{"from":1}})",
            R"(notification gap {"from":1})");
        row("unknown fields are borne", R"({"jsonrpc":"2.0","id":7,"method":"ping","new":[1]})", "request 7 ping {}");
        row("empty", "", "malformed -32700 -");
        row("cut", "{\"jsonrpc\":\"2.0\",\"id\":7,\"meth", "malformed -32700 -");
        row("two", R"({"jsonrpc":"2.0","id":7,"method":"ping"}{})", "malformed -32700 -");
        row("batch", R"([{"jsonrpc":"2.0","id":7,"method":"ping"}])", "malformed -32600 -");
        row("text", "\"ping\"", "malformed -32700 -");
        row("other version", R"({"jsonrpc":"1.0","id":7,"method":"ping"})", "malformed -32600 7");
        row("no version", R"({"id":7,"method":"ping"})", "malformed -32600 7");
        row("id is text", R"({"jsonrpc":"2.0","id":"7","method":"ping"})", "malformed -32600 -");
        row("id is negative", R"({"jsonrpc":"2.0","id":-7,"method":"ping"})", "malformed -32600 -");
        row("id is no whole number", R"({"jsonrpc":"2.0","id":7.5,"method":"ping"})", "malformed -32600 -");
        row("params are a list", R"({"jsonrpc":"2.0","id":7,"method":"ping","params":[1]})", "malformed -32600 7");
        row("method is a number", R"({"jsonrpc":"2.0","id":7,"method":7})", "malformed -32600 7");
        row("nothing but an id", R"({"jsonrpc":"2.0","id":7})", "malformed -32600 7");
    }
    void aLineIsOneOfFour()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QByteArray, expected);
        QCOMPARE(shown(parseMessage(line)), expected);
    }

    void p35_depthIsCountedBeforeParsing_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("isGood");
        const auto nested = [](int depth) -> QByteArray {
            const QByteArray params = QByteArray(depth - 1, '[') + QByteArray(depth - 1, ']');
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"other\":" + params + '}';
        };
        QTest::newRow("deepest") << nested(deepestJson) << true;
        QTest::newRow("one more") << nested(deepestJson + 1) << false;
        QTest::newRow("a million") << QByteArray(1 << 20, '[') << false;
        QTest::newRow("brackets in a text")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + QByteArray(99, '[') + "\"}") << true;
        QTest::newRow("an escaped quote before them")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\\"" + QByteArray(99, '[') + "\"}") << true;
    }
    void p35_depthIsCountedBeforeParsing()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const bool, isGood);
        QCOMPARE(std::holds_alternative<Request>(parseMessage(line)), isGood);
    }

    void whatIsWrittenIsRead()
    {
        const QJsonObject params{ { QStringLiteral("a"), qint64(1) << 60 } };
        QCOMPARE(shown(parseMessage(requestLine(3, QStringLiteral("x"), params))),
            R"(request 3 x {"a":1152921504606846976})");
        QCOMPARE(shown(parseMessage(resultLine(3, params))), R"(response 3 0 {"a":1152921504606846976})");
        QCOMPARE(shown(parseMessage(notificationLine(QStringLiteral("x"), params))),
            R"(notification x {"a":1152921504606846976})");
        QCOMPARE(shown(parseMessage(eventLine("{\"seq\":1}\n"))), R"(notification event {"seq":1})");
        QCOMPARE(shown(parseMessage(errorLine({}, ErrorCode::Parse, {}))), "response -1 -32700 {}");
        QCOMPARE(shown(parseMessage(errorLine(3, ErrorCode::Rate, QStringLiteral("slower")))), "response 3 -32005 {}");
        for (const QByteArray &line : { requestLine(3, QStringLiteral("a\nb"), params), resultLine(3, params),
                 eventLine("{\"seq\":1}\n"), errorLine({}, ErrorCode::Parse, QStringLiteral("a\nb")) })
            QCOMPARE(line.indexOf('\n'), line.size() - 1);
    }

    void p38_everyPartIsInTheCode()
    {
        const QByteArray code = challengeCode("key", "nonce", "cnonce", "boot", "node");
        QCOMPARE(code.size(), 64);
        QCOMPARE(code, challengeCode("key", "nonce", "cnonce", "boot", "node"));
        for (const QByteArray &other : { challengeCode("kez", "nonce", "cnonce", "boot", "node"),
                 challengeCode("key", "noncf", "cnonce", "boot", "node"),
                 challengeCode("key", "cnonce", "nonce", "boot", "node"), // swapped
                 challengeCode("key", "noncec", "nonce", "boot", "node"), // the same bytes, cut elsewhere
                 challengeCode("key", "nonce", "cnonce", "boo", "tnode"),
                 challengeCode("key", "nonce", "cnonce", "boot", "nodf") })
            QVERIFY(other != code);
    }

    void p36_anyBytesAreBorne()
    {
        const QByteArray good = R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[1,"\u00e4"]}})";
        QRandomGenerator random(1);
        for (int i = 0; i < 20'000; ++i) {
            QByteArray line = good;
            for (int change = 0; change < 4; ++change)
                line[random.bounded(line.size())] = char(random.bounded(256));
            QVERIFY(!shown(parseMessage(line)).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(tst_Protocol)
#include "tst_protocol.moc"
