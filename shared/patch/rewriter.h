// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "patch/filestate.h"

#include <QByteArrayList>
#include <QString>

#include <map>

namespace firstwatch::patch {

// What became of one file.
struct Rewritten {
    enum class Result {
        Done,
        Changed, // holds another text than the one that was looked at, or is gone
        Busy, // somebody has it open for writing
        Failed,
    };
    Result result = Result::Done;
    QString text; // why it failed, with the way out
    QByteArrayList notKept; // of owner, mode and attributes
};

// Writes into one folder what somebody has looked at, by the write recipe and without a service behind it: once, and
// whoever writes at the same time wins.
class Rewriter {
public:
    // `path`: how the folder is called, for the targets of absolute links.
    Rewriter(int directory, QByteArray path)
        : m_directory(directory)
        , m_path(std::move(path))
    {
    }

    // Puts what `plan` says in place of the text with that contentHash(), and of no other.
    [[nodiscard]] Rewritten write(
        const QByteArray &name, const QByteArray &seenHash, const conflist::Plan &plan, const conflist::Options &chain);

    struct Finished {
        QByteArrayList overtaken; // somebody was quicker: their text stands
        QByteArrayList open; // somebody still writes to what was there before; it is kept beside the new file
        bool isDurable = true;
    };
    // Syncs the folder, and waits until nobody can be writing to what came out, at most some seconds.
    [[nodiscard]] Finished finish();

private:
    void settle(QByteArrayList &overtaken);

    int m_directory;
    QByteArray m_path;
    std::map<QByteArray, FileState> m_states; // by the entry that holds the content
};

} // namespace firstwatch::patch
