// SPDX-License-Identifier: Apache-2.0
// A node that answers: the server of the service, with what a real run recorded.
#include "program.h"

#include "eventually.h"
#include "stream/capture.h"
#include "stream/server.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// The server in a thread of its own, as in the service.
class Answering {
    Q_DISABLE_COPY_MOVE(Answering)
public:
    explicit Answering(const QByteArray &recording)
    {
        stream::ServerOptions options;
        options.socketPath = QFile::encodeName(socket());
        options.node = QStringLiteral("node-17");
        options.version = QStringLiteral("0.1.0");
        options.limits.opensPerSecond = 1000;
        m_server = new stream::Server(options);
        m_server->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_server, &QObject::deleteLater);
        m_thread.start();
        for (const journal::Event &event : stream::readCapture(recording).events)
            append(event);
        QMetaObject::invokeMethod(m_server, &stream::Server::start, Qt::BlockingQueuedConnection);
    }
    ~Answering()
    {
        m_thread.quit();
        m_thread.wait();
    }

    [[nodiscard]] QString socket() const { return m_folder.filePath(QStringLiteral("run/stream.sock")); }
    void append(const journal::Event &event)
    {
        QMetaObject::invokeMethod(
            m_server,
            [this, event] {
                m_server->append(event, journal::toLine(event));
                if (event.kind == journal::Kind::PatchApplied)
                    m_server->appendTexts(event.seq, "10-calico.conflist", "{}\n", "{ }\n");
            },
            Qt::BlockingQueuedConnection);
    }

private:
    QTemporaryDir m_folder;
    QThread m_thread;
    stream::Server *m_server = nullptr;
};

QByteArray recorded(const char *name)
{
    return QByteArrayLiteral(FIRSTWATCH_CAPTURES "/") + name;
}

journal::Event after(const QByteArray &recording, const char *text)
{
    journal::Event event = stream::readCapture(recording).events.last();
    ++event.seq;
    event.kind = journal::Kind::Note;
    event.fields = { { QStringLiteral("text"), QString::fromLatin1(text) } };
    return event;
}

// The words of a line as a shell has them; only the quotes that the examples use.
QStringList shellWords(const QString &line)
{
    QStringList words;
    static const QRegularExpression word(QStringLiteral("'([^']*)'|(\\S+)"));
    for (auto all = word.globalMatch(line); all.hasNext();) {
        const QRegularExpressionMatch match = all.next();
        words += match.captured(1) + match.captured(2);
    }
    return words;
}

// The lines between "Examples:" and the next empty one, without the program's name.
QStringList examplesOf(const QString &verb)
{
    const QString help = QString::fromUtf8(run({ verb, QStringLiteral("--help") }).out);
    QStringList examples;
    for (const QString &line :
        help.section(QStringLiteral("Examples:\n"), 1).section(QStringLiteral("\n\n"), 0, 0).split(u'\n'))
        examples += line.trimmed().section(u' ', 1);
    return examples;
}

// What the examples of `preview` and `lint` name.
void addConfigs(const QString &folder)
{
    const QString source = QStringLiteral(FIRSTWATCH_CAPTURES "/../cni/10-calico.conflist");
    QVERIFY(QDir(folder).mkdir(QStringLiteral("net.d")));
    for (const char *path : { "/10-calico.conflist", "/net.d/10-calico.conflist" })
        QVERIFY(QFile::copy(source, folder + QLatin1String(path)));
}

} // namespace

class TestLive final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNodeAndItsRecordingLookTheSame()
    {
        const Answering node(recorded("usual.jsonl"));
        const QStringList live{ QStringLiteral("--socket"), node.socket() };
        const QStringList file{ QStringLiteral("--from"), capture("usual.jsonl") };
        for (const char *line :
            { "events -o raw", "history -o json", "timeline", "timeline -o svg", "findings -o name" }) {
            const QStringList verb = QString::fromLatin1(line).split(u' ');
            const Ran ran = run(verb + live);
            QCOMPARE(ran.out, run(verb + file).out);
            QCOMPARE(ran.exitCode, 0);
            QCOMPARE(ran.err, QByteArray());
        }
        QVERIFY(run(QStringList{ QStringLiteral("status"), QStringLiteral("-o"), QStringLiteral("short") } + live)
                    .out.startsWith("node-17 OK +21.1 ms 2/2"));
        QCOMPARE(run(QStringList{ QStringLiteral("doctor") } + live).exitCode, 0);
    }

    // Each one in a folder where the recordings lie that it names; the node that it does not name answers on a socket.
    void everyExampleRuns_data()
    {
        QTest::addColumn<QString>("example");
        const QString overview = QString::fromUtf8(run({ QStringLiteral("help") }).out);
        static const QRegularExpression verb(QStringLiteral("^  (\\w+) "), QRegularExpression::MultilineOption);
        for (auto verbs = verb.globalMatch(overview); verbs.hasNext();) {
            const QStringList examples = examplesOf(verbs.next().captured(1));
            QVERIFY2(examples.size() == 3, qPrintable(examples.join(u'|')));
            for (const QString &example : examples)
                QTest::newRow(qPrintable(example)) << example;
        }
    }
    void everyExampleRuns()
    {
        QFETCH(QString, example);
        const Answering node(recorded("usual.jsonl"));
        const QTemporaryDir folder;
        QStringList words = shellWords(example);
        const bool isWritten = words.first() == QLatin1String("bundle");
        for (const char *name : { "node-17.fwz", "node-31.fwz" }) {
            if (!isWritten || words.contains(QStringLiteral("--from")))
                QVERIFY(QFile::copy(capture("usual.fwz"), folder.filePath(QString::fromLatin1(name))));
        }
        if (words.first() == QLatin1String("preview") || words.first() == QLatin1String("lint"))
            addConfigs(folder.path());
        if (run({ words.first(), QStringLiteral("--help") }).out.contains("--socket")
            && !words.contains(QStringLiteral("--from")) && !words.value(1).endsWith(QLatin1String(".fwz")))
            words += QStringList{ QStringLiteral("--socket"), node.socket() };
        const Ran ran = run(words, { {}, {}, folder.path() });
        const bool isJudged = (words.contains(QStringLiteral("--fail-on")) && words.contains(QStringLiteral("warning")))
            || words.contains(QStringLiteral("--exit-code"));
        QVERIFY2(ran.exitCode == (isJudged ? 1 : 0), ran.err.constData());
        QVERIFY2(ran.err.isEmpty(), ran.err.constData());
        QVERIFY(isWritten || isJudged || !ran.out.isEmpty() || words.contains(QStringLiteral("--quiet")));
    }

    void waitsForAState()
    {
        const QByteArray recording = recorded("drift.jsonl");
        Answering node(recording);
        const QStringList line{ QStringLiteral("status"), QStringLiteral("--fail-on"), QStringLiteral("never"),
            QStringLiteral("--socket"), node.socket() };
        QCOMPARE(run(line + QStringList{ QStringLiteral("--wait=DRIFT") }).exitCode, 0);
        const Ran late =
            run(line + QStringList{ QStringLiteral("--wait"), QStringLiteral("--timeout"), QStringLiteral("300ms") });
        QCOMPARE(late.exitCode, 1);
        QVERIFY2(late.err.contains("is DRIFT") && late.err.contains("Waited for OK"), late.err.constData());
        QProcess waiting;
        prepare(waiting, line + QStringList{ QStringLiteral("--wait") });
        waiting.start();
        QVERIFY(!waiting.waitForFinished(300));
        journal::Event event = after(recording, "");
        for (const journal::Kind kind : { journal::Kind::FindingClose, journal::Kind::FileState }) {
            event.kind = kind;
            event.fields = { { QStringLiteral("code"), 1202 },
                { QStringLiteral("file"), QStringLiteral("10-calico.conflist") },
                { QStringLiteral("state"), QStringLiteral("patched") } };
            node.append(event);
            ++event.seq;
        }
        QVERIFY(waiting.waitForFinished());
        QCOMPARE(waiting.exitCode(), 0);
    }

    void followsAndIsInterrupted()
    {
        const QByteArray recording = recorded("usual.jsonl");
        Answering node(recording);
        QProcess following;
        prepare(following,
            { QStringLiteral("events"), QStringLiteral("-f"), QStringLiteral("--last"), QStringLiteral("2"),
                QStringLiteral("--socket"), node.socket() });
        following.start();
        QByteArray out;
        const auto lines = [&] {
            following.waitForReadyRead(50);
            out += following.readAllStandardOutput();
            return out.count('\n');
        };
        QTRY_COMPARE(lines(), 2);
        node.append(after(recording, "one more"));
        QTRY_COMPARE(lines(), 3);
        QVERIFY2(out.endsWith("note               one more\n"), out.constData());
        ::kill(pid_t(following.processId()), SIGINT);
        QVERIFY(following.waitForFinished());
        QCOMPARE(following.exitStatus(), QProcess::NormalExit);
        QCOMPARE(following.exitCode(), 130);
    }

    void followsWhatIsPipedIn()
    {
        QFile file(capture("container.log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Ran ran = run({ QStringLiteral("events"), QStringLiteral("-f"), QStringLiteral("--type"),
                                QStringLiteral("watch"), QStringLiteral("--from"), QStringLiteral("-") },
            { {}, file.readAll(), {} });
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(ran.out.count('\n'), 3); // armed, proven, witness
    }

    void aServiceThatDoesNotAnswerIsGivenUp()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("stream.sock"));
        QProcess silent; // takes connections, and says nothing
        silent.start(QStringLiteral("python3"),
            { QStringLiteral("-c"),
                QStringLiteral("import "
                               "socket,time\ns=socket.socket(socket.AF_UNIX)\ns.bind('%1')\ns.listen()\nprint('on',"
                               "flush=True)\ntime.sleep(60)")
                    .arg(path) });
        QVERIFY(silent.waitForReadyRead());
        for (const char *verb : { "status", "events -f" }) {
            const Ran ran = run(QString::fromLatin1(verb).split(u' ')
                + QStringList{
                    QStringLiteral("--timeout"), QStringLiteral("200ms"), QStringLiteral("--socket"), path });
            QCOMPARE(ran.exitCode, 3);
            QVERIFY2(ran.err.contains("FW9004") && ran.err.contains("no answer"), ran.err.constData());
        }
        silent.kill();
        silent.waitForFinished();
    }
};

QTEST_GUILESS_MAIN(TestLive)
#include "tst_live.moc"
