// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "patch/reconciler.h"
#include "service/heartbeat.h"
#include "service/lock.h"
#include "service/netdirlock.h"
#include "service/oncelimit.h"
#include "service/readiness.h"
#include "service/settings.h"
#include "service/sinks.h"
#include "service/streamthread.h"
#include "service/surroundings.h"
#include "service/templates.h"
#include "service/watchjournal.h"
#include "watch/directorywatch.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace firstwatch::service {

// What the settings and the templates say to the patching.
[[nodiscard]] patch::PatchOptions patchOptions(const Settings &settings, const Templates &templates);

// The node service: the watch is armed and proven first, then the lock is taken, then binaries, kubeconfig and configs
// are put right, and from then on kept right.
class Service final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Service)
public:
    Service(Settings settings, Templates templates, QObject *parent = nullptr);

    void start();
    // SIGTERM, SIGINT: undoes the work unless it is to be kept or a successor waits, then asks to quit.
    void stop();

Q_SIGNALS:
    void finished(int exitCode);

private:
    void connectWatch();
    void recordStart();
    bool ownRuntimeDir();
    void startStream();
    void tellTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after);
    void takeLock();
    void waitForLock(const QString &why);
    void standBack();
    void begin();
    void onEvidence(patch::PassReason again);
    void runPass(patch::PassReason reason);
    void updateReadiness();
    void tellReadiness();
    QString awaited() const;
    void limitOnce();
    void awaitRest(void (Service::*then)());
    void finish();
    void finishOnce();
    void endOnce(int exitCode, const QString &summary);
    void schedulePeriodicPass();
    void periodicPass();

    Settings m_settings;
    Templates m_templates;
    journal::Journal m_journal;
    watch::Inotify m_inotify;
    watch::DirectoryWatch m_watch;
    WatchJournal m_watchJournal;
    patch::Reconciler m_reconciler;
    Surroundings m_surroundings;
    std::unique_ptr<Sinks> m_sinks;
    std::unique_ptr<InstanceLock> m_lock;
    NetDirLock m_netDirLock;
    Readiness m_readiness;
    std::unique_ptr<OnceLimit> m_onceLimit;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::unique_ptr<StreamThread> m_stream;
    std::vector<std::function<void()>> m_untold; // what the stream is told once it is there
    qsizetype m_untoldBytes = 0;
    QTimer m_lockTimer;
    QTimer m_periodic;
    qint64 m_waitingSinceNs = 0;
    bool m_working = false;
    bool m_passed = false; // a pass has run with the present evidence
    bool m_stopped = false;
};

} // namespace firstwatch::service
