// SPDX-License-Identifier: Apache-2.0
#include "service/surroundings.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "sys/syscalls.h"

#include <QDateTime>

#include <algorithm>

namespace firstwatch::service {

namespace code = journal::code;
using journal::Kind;

namespace {

const QList<int> &kubeconfigCodes()
{
    static const QList<int> codes{ code::tokenUnreadable, code::tokenExpired, code::noServiceAccount, code::noApiServer,
        code::readOnly, code::noSpace, code::renameFailed, code::permissionDenied, code::ioError };
    return codes;
}

const QList<int> &binaryCodes()
{
    static const QList<int> codes{ code::noBinaries, code::binaryNotInstalled, code::binaryDeleted,
        code::binaryReadOnly };
    return codes;
}

} // namespace

Surroundings::Surroundings(const Settings &settings, const QByteArrayList &pluginTypes, watch::Inotify &inotify,
    journal::Journal &journal, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
    , m_types(pluginTypes)
    , m_journal(journal)
    , m_binaries(settings.sourceBinDir, settings.mountPrefix, settings.binDir)
    , m_kubeconfig(settings)
    , m_tokenWatch(inotify, {}, settings.serviceAccountDir)
    , m_binWatch(inotify, settings.mountPrefix, settings.binDir)
{
    m_minute.setTimerType(Qt::VeryCoarseTimer);
    m_retry.setSingleShot(true);
    connect(&m_minute, &QTimer::timeout, this, &Surroundings::refresh);
    connect(&m_retry, &QTimer::timeout, this, &Surroundings::refresh);
    connect(&m_tokenWatch, &watch::SideWatch::changed, this, &Surroundings::refresh);
    connect(&m_binWatch, &watch::SideWatch::changed, this, &Surroundings::refresh);
}

void Surroundings::start()
{
    m_stopped = false;
    m_tokenWatch.arm();
    m_binWatch.arm();
    m_minute.start(minuteMs);
}

void Surroundings::stop()
{
    m_stopped = true;
    m_complete = false;
    m_minute.stop();
    m_retry.stop();
}

bool Surroundings::refresh()
{
    if (m_stopped)
        return false;
    refreshBinaries();
    refreshKubeconfig();
    const bool before = m_complete;
    m_complete = hasBinaries() && hasKubeconfig();
    if (!m_complete)
        m_retry.start(retryMs);
    if (m_complete != before)
        Q_EMIT completeChanged();
    return m_complete;
}

void Surroundings::refreshBinaries()
{
    const QList<Binaries::Result> results = m_binaries.install();
    for (const Binaries::Result &result : results) {
        if (result.outcome == Binaries::Outcome::Installed)
            m_journal.record(Kind::BinaryInstalled,
                { { QStringLiteral("file"), journal::shownName(result.name) },
                    { QStringLiteral("sha"), QString::fromLatin1(result.sha) } });
    }
    reportFindings(Binaries::findings(results), binaryCodes());
}

void Surroundings::refreshKubeconfig()
{
    const Kubeconfig::Result result = m_kubeconfig.refresh(QDateTime::currentSecsSinceEpoch());
    if (result.outcome == Kubeconfig::Outcome::Written) {
        if (result.rotated)
            m_journal.record(Kind::TokenRotated, { { QStringLiteral("expires"), result.token.expires.value_or(0) } });
        m_journal.record(Kind::KubeconfigWritten,
            { { QStringLiteral("file"), journal::shownName(m_settings.kubeconfigName) },
                { QStringLiteral("mode"), QString::number(m_settings.kubeconfigMode, 8) } });
    }
    m_outcome = result.outcome;
    reportFindings(result.findings, kubeconfigCodes());
}

// About the node, not a file; what is not among them is closed.
void Surroundings::reportFindings(const QList<Finding> &findings, const QList<int> &codes)
{
    for (const int each : codes) {
        const auto open =
            std::find_if(findings.begin(), findings.end(), [each](const Finding &f) { return f.code == each; });
        if (open != findings.end())
            m_journal.openFinding(*open);
        else
            m_journal.closeFinding(each);
    }
}

bool Surroundings::hasBinaries()
{
    for (const QByteArray &type : m_types) {
        if (m_binaries.holds(type))
            continue;
        m_journal.openFinding({ code::binaryNotInstalled,
            QStringLiteral("%1 is not in %2, so no config may name it yet; put it "
                           "into %3 of this container, or on the node")
                .arg(journal::shownName(type), journal::shownName(m_settings.binDir),
                    journal::shownName(m_settings.sourceBinDir)) });
        return false;
    }
    return true;
}

// Without a service account none is written, and that is said; else there must be one, be it an older one.
bool Surroundings::hasKubeconfig() const
{
    if (m_outcome == Kubeconfig::Outcome::NoToken)
        return true;
    const sys::FileDescriptor directory = sys::openDirectory(m_settings.mountPrefix, m_settings.netDir);
    struct stat info { };
    return directory.isValid() && sys::statName(directory.get(), m_settings.kubeconfigName, info) && info.st_size > 0;
}

Surroundings::Removal Surroundings::remove()
{
    stop();
    Removal removal;
    removal.kubeconfig = m_kubeconfig.remove().done;
    const QList<Binaries::Result> results = m_binaries.remove();
    removal.binaries = std::none_of(results.begin(), results.end(),
        [](const Binaries::Result &result) { return result.outcome == Binaries::Outcome::Failed; });
    return removal;
}

} // namespace firstwatch::service
