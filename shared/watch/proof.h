// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/syscalls.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <variant>

namespace firstwatch::watch {

class Prover;

// What the second backend, QFileSystemWatcher, says about the same probe. It confirms; it never decides.
enum class WitnessWord {
    Confirmed, // it saw the probe as well
    Late, // not within the deadline
    Absent, // it could not be armed
    NotAsked, // the probe was one that it cannot see (an unwritable directory)
};
[[nodiscard]] QLatin1String witnessName(WitnessWord word);

enum class ProbeKind {
    Chmod, // fchmod of the directory to its own mode: IN_ATTRIB and directoryChanged; only ctime moves
    Open, // opening the directory with IN_OPEN added: native only, leaves no trace; for unwritable directories
};
[[nodiscard]] QLatin1String probeName(ProbeKind kind);

// Evidence that the watch works: an event of our own came back through the same queue. Only the Prover makes one, so
// a pass that asks for a Proof cannot be started without it.
class Proof {
public:
    [[nodiscard]] qint64 armedNs() const { return m_armedNs; } // inotify_add_watch(2) returned, CLOCK_BOOTTIME
    [[nodiscard]] qint64 probedNs() const { return m_probedNs; } // the probe was sent
    [[nodiscard]] qint64 provenNs() const { return m_provenNs; } // its event was read
    [[nodiscard]] ProbeKind probe() const { return m_probe; }
    [[nodiscard]] WitnessWord witness() const { return m_witness; }
    [[nodiscard]] const sys::Identity &directory() const { return m_directory; }

private:
    friend class Prover;
    Proof() = default;

    qint64 m_armedNs = 0;
    qint64 m_probedNs = 0;
    qint64 m_provenNs = 0;
    ProbeKind m_probe = ProbeKind::Chmod;
    WitnessWord m_witness = WitnessWord::NotAsked;
    sys::Identity m_directory;
};

// The labelled alternative where no proof can be had: the directory is read every `intervalMs`.
struct Polling {
    QString reason;
    int intervalMs = 0;
};

// What a pass takes as its argument.
using Evidence = std::variant<Proof, Polling>;

} // namespace firstwatch::watch

Q_DECLARE_METATYPE(firstwatch::watch::Polling)
