// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>

#include <memory>

namespace firstwatch::watch {

// QFileSystemWatcher as the second witness of one directory. Made anew for each directory: it keeps the old inode
// after a rename and falls silent after a re-creation (Qt 6.4.2).
class Witness final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Witness)
public:
    explicit Witness(QObject *parent = nullptr);

    // False when the directory cannot be watched. Fail points "qt.arm", "qt.signal".
    bool arm(const QByteArray &path);
    void disarm();
    [[nodiscard]] bool isArmed() const { return m_watcher != nullptr; }

Q_SIGNALS:
    void seen(); // directoryChanged: a probe, or a change of names; never an in-place write

private:
    std::unique_ptr<QFileSystemWatcher> m_watcher;
};

} // namespace firstwatch::watch
