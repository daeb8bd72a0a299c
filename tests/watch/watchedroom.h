// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "eventually.h"
#include "watch/directorywatch.h"

#include <QTemporaryDir>

#include <memory>

namespace firstwatch::test {

// The directory "net.d" in a root of its own, its watch with short timers, and all that the watch has said, in order.
class WatchedRoom final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WatchedRoom)
public:
    // `base`: the folder to make the root in, and so the file system; empty: the usual place for temporary files.
    explicit WatchedRoom(const QByteArray &base = {}, bool makeDirectory = true);

    void start();
    [[nodiscard]] QByteArray root() const { return m_rootPath; }
    [[nodiscard]] QByteArray path() const { return m_rootPath + "/net.d"; }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return path() + '/' + name; }
    void touch(const QByteArray &name) const; // creates the file, or writes it in place

    [[nodiscard]] bool isProven() const;
    [[nodiscard]] bool isPolling() const;
    [[nodiscard]] int count(const char *word) const { return int(order.count(word)); }
    void forget(); // what was recorded so far
    // Several looks of the slow timer from now, so that what was to be compared has been compared.
    [[nodiscard]] static bool settle();

    watch::Inotify inotify;
    watch::DirectoryWatch::Options options;
    std::unique_ptr<watch::DirectoryWatch> watch;

    QList<QByteArray> order; // "armed", "proven", "ready", "polling", "lost", "disagreed", "agreed"
    qint64 armedNs = 0;
    QList<watch::Proof> provenOnes;
    QList<watch::Proof> readyOnes;
    QList<watch::DirectoryWatch::Loss> losses;
    QStringList reasons; // of losses and of polling
    QList<int> codes;
    QList<QByteArray> changes; // names
    int polls = 0;
    bool evidenceBeforeProof = false; // there was evidence at a moment when there must be none

private:
    void connectWatch();

    QTemporaryDir m_root;
    QByteArray m_rootPath;
};

// Both file systems that the node has: QTest rows with the column "base".
void addFileSystemRows();

} // namespace firstwatch::test
