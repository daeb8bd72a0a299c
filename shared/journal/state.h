// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

#include <QDebug>
#include <QMap>

#include <optional>

namespace firstwatch::journal {

// The closed list of state words of a node, worst first.
enum class State { Blind, Drift, Contested, Degraded, Starting, Unreachable, Stopped, Waiting, Ok };
[[nodiscard]] QLatin1String stateWord(State state); // "BLIND"
[[nodiscard]] QStringView stateGlyph(State state); // ✘ ◐ ⇄ ! … ⌁ □ ◌ ●

// The closed list of words for one file, as event file.state carries them.
enum class FileWord {
    Patched, // has our plugin as it should be
    Drift, // eligible, accepted by a runtime, lacks our plugin or has it more than once
    Incomplete, // does not parse (yet)
    Refused, // no runtime loads it; left alone
    Contested, // another writer restores it again and again
    Ignored, // not for us: excluded, loopback, not a config, outside the scope
    Gone, // its owner withdrew it
};
[[nodiscard]] QLatin1String fileWordName(FileWord word); // "patched"
[[nodiscard]] std::optional<FileWord> fileWordFromName(QAnyStringView name);

// The node as its events tell it. The service, the inspector and a capture opened next year use this same fold. It
// takes any event from outside: what misses a field or has one of the wrong type changes nothing.
class NodeState {
public:
    void apply(const Event &event);
    // The word at time `nowNs` (BLIND, STARTING and ages depend on the clock; the same clock as Event::tNs). Never
    // UNREACHABLE, which only a client can know.
    [[nodiscard]] State word(qint64 nowNs) const;
    // A run without a proven watch, and a proven watch without a pass, is STARTING for so long.
    static constexpr qint64 startingNs = 10'000'000'000;

    struct File {
        FileWord word = FileWord::Ignored;
        qint64 sinceNs = 0; // t_ns since when it has this word
        bool active = false;
    };
    struct OpenFinding {
        int code = 0;
        QString file; // shown name, may be empty
        QString text;
        qint64 sinceNs = 0;
    };
    // By shown name. A file that is gone is no longer here.
    [[nodiscard]] const QMap<QString, File> &files() const { return m_files; }
    [[nodiscard]] const QList<OpenFinding> &findings() const { return m_findings; }
    [[nodiscard]] bool isProven() const { return m_watch == Watch::Proven; }
    [[nodiscard]] qint64 oldestDriftNs() const; // t_ns since when, 0 when none

    // All of it, so that a state restored from a snapshot goes on as the one that was saved. From outside: what is
    // missing or of the wrong type has its default, and a file or finding that is not whole is left out.
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static NodeState fromJson(const QJsonObject &json);

private:
    enum class Watch { None, Lost, Polling, Proven };
    enum class Pass { None, Clean, Unclean }; // the last one that ended since the watch became what it is

    void begin(const Event &event);
    void setWatch(Watch watch, qint64 atNs);
    void applyFile(const Event &event);
    void openFinding(const Event &event);
    void closeFinding(const Event &event);
    [[nodiscard]] bool isBlind(qint64 nowNs) const;
    [[nodiscard]] bool isDegraded(qint64 nowNs) const;
    [[nodiscard]] bool hasFile(FileWord word) const;
    [[nodiscard]] bool hasConfig() const;

    std::optional<QByteArray> m_boot; // nothing: no event yet
    Watch m_watch = Watch::None;
    Pass m_pass = Pass::None;
    bool m_stopped = false;
    qint64 m_sinceNs = 0; // of m_watch; the start of the run while it is None
    QMap<QString, File> m_files;
    QList<OpenFinding> m_findings;
};

QDebug operator<<(QDebug debug, const NodeState &state);

} // namespace firstwatch::journal
