// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/state.h"
#include "patch/damping.h"
#include "patch/fileexchange.h"

#include <QByteArray>

namespace firstwatch::patch {

// Everything remembered about one config file. No file's trouble touches another's.
struct FileState {
    QByteArray name; // the directory entry
    QByteArray realName; // where a link inside the directory leads; else the same
    FileExchange exchange;
    Damping damping;

    journal::FileWord word = journal::FileWord::Ignored;
    bool wordSaid = false; // a look has found it
    bool stateChanged = false; // word or active, since it was recorded
    bool accepted = false; // a runtime loads it
    bool active = false;

    quint32 eventMask = 0; // IN_* of the events that led to this look; 0: a pass or a timer
    qint64 changedNs = 0; // when a look found the owner's new content, until file.change has told of it
    quint32 changedMask = 0;
    QByteArray seenHash; // the owner's content that file.change has told of

    QByteArray unsettledHash; // content that does not parse or is being written
    qint64 unsettledSinceNs = 0;
    int retryMs = 0; // last wait; 0: none
    qint64 dueNs = 0; // look again then; 0: only when something happens
    qint64 tidyNs = 0; // then look at what an exchange has displaced; 0: nothing is
    int patches = 0;

    [[nodiscard]] bool isLink() const { return !realName.isEmpty() && realName != name; }
};

} // namespace firstwatch::patch
