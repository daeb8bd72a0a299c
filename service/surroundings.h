// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "service/binaries.h"
#include "service/kubeconfig.h"
#include "watch/sidewatch.h"

#include <QObject>
#include <QTimer>

namespace firstwatch::service {

// What must be there before a config may name it: the plugin's binaries and its kubeconfig. Kept right while the
// service runs: on every change of the token's and the binaries' directory, and once a minute whatever was noticed.
class Surroundings final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Surroundings)
public:
    static constexpr int minuteMs = 60'000;
    static constexpr int retryMs = 1000; // while something is missing that holds the patching back

    Surroundings(const Settings &settings, const QByteArrayList &pluginTypes, watch::Inotify &inotify,
        journal::Journal &journal, QObject *parent = nullptr);

    void start();
    // Puts nothing right any more, until it is started again: this is another one's work now.
    void stop();
    // Binaries first, then the kubeconfig. True when a config may name them.
    bool refresh();
    [[nodiscard]] bool isComplete() const { return m_complete; }

    struct Removal {
        bool kubeconfig = false;
        bool binaries = false;
    };
    // At clean-up, after the configs: the kubeconfig, then the binaries. The events that this causes put nothing back.
    [[nodiscard]] Removal remove();

Q_SIGNALS:
    void completeChanged(); // what had held the patching back is there now, or something is gone again

private:
    void refreshBinaries();
    void refreshKubeconfig();
    void reportFindings(const QList<Finding> &findings, const QList<int> &codes);
    bool hasBinaries();
    bool hasKubeconfig() const;

    const Settings &m_settings;
    QByteArrayList m_types;
    journal::Journal &m_journal;
    Binaries m_binaries;
    Kubeconfig m_kubeconfig;
    watch::SideWatch m_tokenWatch;
    watch::SideWatch m_binWatch;
    QTimer m_minute;
    QTimer m_retry;
    Kubeconfig::Outcome m_outcome = Kubeconfig::Outcome::Failed;
    QList<Finding> m_lastFindings;
    bool m_complete = false;
    bool m_stopped = false;
};

} // namespace firstwatch::service
