// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/ancestorwatch.h"
#include "watch/limits.h"
#include "watch/mountwatch.h"
#include "watch/prover.h"

#include <QDebug>
#include <QTimer>

#include <optional>

namespace firstwatch::watch {

// Watches one directory by its path, proves that the watch works before it says so, and survives whatever happens to
// the path: removed, renamed, made again, replaced by a link, mounted over, unmounted. Native inotify decides,
// QFileSystemWatcher confirms. Where inotify refuses, the directory is polled, and that is said.
class DirectoryWatch final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DirectoryWatch)
public:
    struct Options {
        QByteArray prefix; // where the host's root is mounted, "" for this root
        QByteArray hostPath; // absolute, as the host knows it
        bool forcePolling = false;
        int pollMs = 2000; // between reads of the directory where nothing better works
        int identityMs = 2000; // between looks for what gives no event: a mount, a dead bind mount
        int reproveMs = 60'000; // between proofs of a watch that is quiet
        int retryMs = 2000; // first wait before inotify is tried again; doubles up to a minute
        int witnessMs = 1000; // how long the second witness may be silent about a change of names
    };

    enum class Loss { Missing, Unreadable, Replaced, DeadMount };

    DirectoryWatch(Inotify &inotify, Options options, QObject *parent = nullptr);

    void start();

    // The directory that the evidence is about, -1 when there is none.
    [[nodiscard]] int directory() const { return m_directory.get(); }
    // Nothing while there is neither proof nor polling.
    [[nodiscard]] const std::optional<Evidence> &evidence() const { return m_evidence; }
    [[nodiscard]] quint32 rearms() const { return m_arms > 0 ? m_arms - 1 : 0; }

Q_SIGNALS:
    void armed(qint64 armedNs, int watch, const QByteArray &path);
    void proven(const firstwatch::watch::Proof &proof);
    void ready(const firstwatch::watch::Proof &proof);
    void polling(
        const firstwatch::watch::Polling &polling, int code); // code of the finding that tells why, 0: asked for
    void pollDue(const firstwatch::watch::Polling &polling);
    void lost(firstwatch::watch::DirectoryWatch::Loss loss, const QString &reason);
    void changed(const firstwatch::watch::Change &change); // of the directory's own watch, once ready or before
    void disagreed(const QString &text); // the two backends say different things; empty: they agree again

private:
    void check();
    void arm(sys::FileDescriptor directory, const sys::Identity &identity);
    void armNative();
    void concludeReady(const Proof &proof);
    void hear(const Change &change);
    void hearWitness();
    void scheduleComparison();
    void compareBackends();
    void fallBack(const Refusal &refusal);
    void lose(Loss loss, const QString &reason);
    void disarm();
    void disarmNative();
    void retry();
    void reprove();

    friend QDebug operator<<(QDebug debug, const DirectoryWatch &watch);

    Inotify &m_inotify;
    Options m_options;
    AncestorWatch m_ancestors;
    MountWatch m_mounts;
    Witness m_witness;
    Prover m_prover;
    QTimer m_identityTimer;
    QTimer m_pollTimer;
    QTimer m_retryTimer;
    QTimer m_reproveTimer;
    QTimer m_compareTimer;

    sys::FileDescriptor m_directory;
    sys::Identity m_identity;
    int m_watch = -1;
    qint64 m_armedNs = 0;
    std::optional<Evidence> m_evidence;
    Polling m_polling;
    Loss m_loss = Loss::Missing;
    bool m_lossSaid = false;
    int m_retryMs = 0;
    quint32 m_arms = 0;
    quint32 m_nativeChanges = 0; // changes that both see, since the backends were last compared
    quint32 m_witnessChanges = 0;
    bool m_disagree = false;
};

QDebug operator<<(QDebug debug, const DirectoryWatch &watch);

} // namespace firstwatch::watch
