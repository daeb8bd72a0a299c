// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"

#include <QByteArray>
#include <QHash>
#include <QList>

#include <optional>
#include <sys/stat.h>

namespace firstwatch::service {

// The plugin binaries on the node, kept equal to those of our own container. The node's directory is opened anew at
// each call, so that a link that switches to another directory is followed. Nothing here is ever executed.
class Binaries {
public:
    // `source` a directory of our container. `prefix` + `hostPath` the node's.
    Binaries(QByteArray source, QByteArray prefix, QByteArray hostPath);

    enum class Outcome {
        Installed, // written: new, changed, or with a wrong mode or owner
        Unchanged, // as it should be
        Removed,
        Foreign, // remove(): not ours any more, left alone
        Failed,
    };
    struct Result {
        QByteArray name; // empty: the directory as a whole
        Outcome outcome = Outcome::Failed;
        QByteArray sha; // SHA-256 in hex, of what was installed
        QString error;
        int code = 0; // of the finding that this is, 0 when it is none
    };
    // Puts right whatever is missing or differs. What was seen to be right before and has not been touched since costs
    // two fstat calls, so this is the later check as well.
    [[nodiscard]] QList<Result> install();
    // Removes what still has the content of ours; names in `keep` stay.
    [[nodiscard]] QList<Result> remove(const QList<QByteArray> &keep = {});
    // True when the node has an executable regular file of that name.
    [[nodiscard]] bool holds(const QByteArray &name) const;

    // 3001 nothing to install, 3002 not installed, 3003 was deleted and is back, 3004 another one in a read-only
    // directory. What is not in it is closed.
    [[nodiscard]] static QList<Finding> findings(const QList<Result> &results);

private:
    // A pair of files that were equal, as fstat showed them.
    struct Seen {
        struct stat source { };
        struct stat target { };
    };
    [[nodiscard]] Result installOne(int sourceDirectory, int targetDirectory, const QByteArray &name);

    QByteArray m_source;
    QByteArray m_prefix;
    QByteArray m_hostPath;
    QHash<QByteArray, Seen> m_seen;
};

} // namespace firstwatch::service
