// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/kubectl.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "ui/fleet/rights.h"

#include <array>
#include <csignal>
#include <sys/prctl.h>

namespace firstwatch::fleet {
namespace {

namespace code = journal::code;
using journal::shownText;

constexpr qsizetype mostErrors = 4096;

// What kubectl says, and what it means. Its own words are all it gives: every failure is exit code 1.
struct Saying {
    const char *part;
    int code;
    const char *wayOut;
};
constexpr std::array sayings{
    Saying{ "(Forbidden)", code::forbidden, "ask the cluster's admin for this right: %1" },
    Saying{ "is forbidden", code::forbidden, "ask the cluster's admin for this right: %1" },
    Saying{ "localhost:8080", code::noKubeconfig, "no cluster is configured: set KUBECONFIG, or give --kubeconfig" },
    Saying{ "no configuration has been provided", code::noKubeconfig, "set KUBECONFIG, or give --kubeconfig" },
    Saying{ "current-context is not set", code::noKubeconfig, "choose one with --context" },
    Saying{ "does not exist", code::noKubeconfig, "see \"kubectl config get-contexts\"" },
    Saying{ "executable", code::credentialPlugin,
        "kubectl's credential plugin is not on PATH; give the full path in the kubeconfig" },
};

QString lastLine(const QByteArray &text)
{
    return shownText(QString::fromUtf8(text.trimmed()).section(u'\n', -1).trimmed());
}

KubectlTrouble notFound(const Cluster &cluster)
{
    return { code::noKubectl,
        QStringLiteral("%1 was not found (PATH is %2); install it, or say where it is with --kubectl")
            .arg(shownText(cluster.kubectl), shownText(qEnvironmentVariable("PATH"))) };
}

QString wayOutOf(const Saying &saying, const Cluster &cluster, const KubectlResult &result)
{
    const QString words = QLatin1String(saying.wayOut);
    return saying.code == code::forbidden ? words.arg(askCommand(cluster, missingRight(result.errors))) : words;
}

} // namespace

QStringList Cluster::arguments(const QStringList &verb) const
{
    QStringList list;
    const auto add = [&list](const char *option, const QString &value) {
        if (!value.isEmpty())
            list << QLatin1String(option) << value;
    };
    add("--kubeconfig", kubeconfig);
    add("--context", context);
    add("--namespace", nameSpace);
    return list + verb;
}

QStringList Cluster::listPods(const QString &node) const
{
    QStringList verb{ QStringLiteral("get"), QStringLiteral("pods"), QStringLiteral("--selector"), selector,
        QStringLiteral("--output"), QStringLiteral("json") };
    if (!node.isEmpty())
        verb << QStringLiteral("--field-selector") << QStringLiteral("spec.nodeName=") + node;
    return verb;
}

KubectlTrouble troubleOf(const Cluster &cluster, const KubectlResult &result)
{
    if (result.end == KubectlResult::End::NotFound)
        return notFound(cluster);
    const QString said = lastLine(result.errors);
    if (result.end == KubectlResult::End::TimedOut)
        return { code::kubectlFailed,
            said.isEmpty() ? QStringLiteral("kubectl did not answer in time")
                           : QStringLiteral("kubectl did not answer in time; it said last: %1").arg(said) };
    for (const Saying &saying : sayings) {
        if (result.errors.contains(saying.part))
            return { saying.code, said + QStringLiteral(" (") + wayOutOf(saying, cluster, result) + u')' };
    }
    return { code::kubectlFailed,
        said.isEmpty() ? QStringLiteral("kubectl failed with code %1 and without a word").arg(result.exitCode) : said };
}

void prepareChild(QProcess &process, const Cluster &cluster, const QStringList &verb)
{
    process.setProgram(cluster.kubectl);
    process.setArguments(cluster.arguments(verb));
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
}

KubectlCall::KubectlCall(Cluster cluster, QObject *parent)
    : QObject(parent)
    , m_cluster(std::move(cluster))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { finish(KubectlResult::End::TimedOut); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &KubectlCall::readAll);
    connect(&m_process, &QProcess::readyReadStandardError, this, &KubectlCall::readAll);
    connect(&m_process, &QProcess::finished, this, [this] { finish(KubectlResult::End::Exited); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(KubectlResult::End::NotFound);
    });
}

KubectlCall::~KubectlCall()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void KubectlCall::start(const QStringList &verb, int timeoutMs)
{
    prepareChild(m_process, m_cluster, verb);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_timer.start(timeoutMs);
    m_process.start();
}

void KubectlCall::readAll()
{
    m_result.output += m_process.readAllStandardOutput();
    m_result.errors += m_process.readAllStandardError();
    m_result.errors = m_result.errors.right(mostErrors);
    if (m_result.output.size() > mostOutput)
        m_process.kill();
}

void KubectlCall::finish(KubectlResult::End end)
{
    if (std::exchange(m_isFinished, true))
        return;
    m_timer.stop();
    readAll();
    m_result.end = end;
    m_result.exitCode = m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    Q_EMIT finished(m_result);
}

} // namespace firstwatch::fleet
