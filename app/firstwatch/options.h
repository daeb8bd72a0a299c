// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/output.h"
#include "app/firstwatch/previewoptions.h"

#include "stream/endpoint.h"
#include "ui/fleet/sweep.h"
#include "ui/text/events.h"

#include <QByteArrayList>
#include <QList>
#include <QStringList>

#include <map>
#include <optional>
#include <string>
#include <variant>

namespace firstwatch::cli {

// The same for every verb and every form of output.
namespace exitcode {
inline constexpr int nothing = 0; // nothing to report
inline constexpr int found = 1; // findings at or above --fail-on, or not what was waited for
inline constexpr int usage = 2;
inline constexpr int notCollected = 3;
inline constexpr int partial = 4; // some were not reached, and nothing worse is known
inline constexpr int interrupted = 130;
} // namespace exitcode

// Nodes of a cluster, by a shell pattern of their names.
struct ClusterNodes {
    fleet::Cluster cluster;
    fleet::Carrier carrier = fleet::Carrier::Forward;
    QString pattern = QStringLiteral("*");
};

// Where a node's events come from.
struct Source {
    // A live node, the path of a recording ("-": standard input), or live nodes.
    std::variant<stream::Endpoint, QByteArray, ClusterNodes> where;
    std::optional<QByteArray> boot = {}; // of a recording, where it is not Options::boot
    [[nodiscard]] bool isLive() const { return !std::holds_alternative<QByteArray>(where); }
    [[nodiscard]] QString shown() const;
};

enum class FailOn { Error, Warning, Never };
enum class Help { None, Short, Long };

// What a setting is (settings.h), and since where.
struct SettingValue {
    enum class Origin { Default, File, Environment, Flag };
    QString name;
    QString value; // as it is shown
    Origin origin = Origin::Default;
    QString where; // "--via", "FIRSTWATCH_CONTEXT", the path of the file
};

// What the command line says, with the defaults.
struct Options {
    QList<Source> sources; // never empty once parsed
    ClusterNodes nodes;
    bool asksCluster = false; // something was said about it
    QByteArray keyFile; // of the TCP challenge
    QByteArray boot; // the beginning of a run's name, the last that was given
    QByteArrayList boots; // all
    QString output; // the verb's first form when not given
    Colour colour = Colour::Auto;
    bool isQuiet = false;
    std::optional<qint64> timeoutNs;
    std::optional<journal::State> wait;
    int require = 0;
    FailOn failOn = FailOn::Error;
    bool follow = false;
    bool wantsOurs = false; // what Firstwatch changed, and what others did
    bool wantsTheirs = false;
    bool wantsDiffs = false; // either, or for a capture
    std::optional<std::pair<quint64, quint64>> between; // seq of two events
    ui::EventFilter filter; // of what is shown, whatever it is
    bool printsFilter = false; // and nothing else
    PreviewOptions preview;
    QStringList arguments; // what is no option
    QString localSocket = QStringLiteral("/run/firstwatch/stream.sock"); // of this node, where no source is named
    std::map<std::string, QByteArray> typed; // each option that was typed, by its long name, and its last value
    QList<SettingValue> settings;
    QString configPath; // of the user's file, empty: there can be none
    QString configFault; // why it does not count
    Help help = Help::None; // asked for, and nothing else
};

// Which options a verb takes: their groups, or-ed.
enum Group : unsigned {
    General = 1,
    FromNodes = 2, // several sources
    Judging = 4, // --fail-on, --require, --wait
    Filtering = 8,
    OfEvents = 16,
    OfRun = 32,
    OfPatches = 64,
    OfTime = 128,
    Selecting = 256,
    OfFiles = 512,
    OfPreview = 1024,
    OfLint = 2048,
};

struct Option {
    const char *names; // as CLI11 takes them: "-o,--output"
    const char *argument; // null: a switch
    const char *help;
    unsigned groups;
    // What is wrong with the value, in words; empty when it was set. A switch is given an empty one.
    QString (*set)(Options &options, const QByteArray &value);
    bool isOptional = false; // its value may be missing, and is then empty
};
[[nodiscard]] const QList<Option> &allOptions();
// Without its dashes: "namespace" of "-n,--namespace". A short one that has no other: "h".
[[nodiscard]] std::string longName(const Option &option);

} // namespace firstwatch::cli
