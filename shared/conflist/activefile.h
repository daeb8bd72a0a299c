// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QString>

#include <optional>

// Which file a container runtime would use, by its own rules.
namespace firstwatch::conflist {

enum class Runtime {
    Containerd, // go-cni: sorted; the first file counts, and an error in it makes the whole load fail
    CriO, // ocicni: sorted; bad files are skipped
};

// How libcni reads one file, by its name's ending and its content.
struct Verdict {
    bool accepted = false;
    QString reason; // why not, when refused
    QByteArray network; // the network's name
    QByteArray cniVersion; // as written, may be empty
    QByteArrayList chain; // plugin types in order
    bool takesDropIns = false; // libcni from 1.3 on adds plugins from the folder named like the network
};
[[nodiscard]] Verdict verdict(const QByteArray &name, const QByteArray &text);

struct NamedText {
    QByteArray name;
    QByteArray text;
};
struct ActiveFile {
    QByteArray name; // empty: none
    Verdict verdict; // of that file; for containerd a rejected first file is named here, not accepted
};
// `files`: those of a net dir with a config name; sorted here bytewise, as Go's sort.Strings does.
[[nodiscard]] ActiveFile activeFile(QList<NamedText> files, Runtime runtime);

// The same for files that have been judged already.
struct JudgedFile {
    QByteArray name;
    Verdict verdict;
};
[[nodiscard]] ActiveFile activeAmong(QList<JudgedFile> files, Runtime runtime);

// Of files that come one after another, the few that decide which one a runtime uses, be one of them taken away or not:
// for each runtime the first two that it may use.
class Deciders {
public:
    // False when a file of that name need not be judged: it is none of them.
    [[nodiscard]] bool mayTake(const QByteArray &name) const;
    void take(const JudgedFile &file);
    [[nodiscard]] const QList<JudgedFile> &files() const { return m_files; } // in order

private:
    QList<JudgedFile> m_files;
};

// True when converting `conf` to `listName` leaves the file order such that both runtimes use the same network as
// before. Used before a conversion: a new name may sort elsewhere.
[[nodiscard]] bool conversionKeepsActive(
    const QList<JudgedFile> &files, const QByteArray &conf, const QByteArray &listName, const QByteArray &listText);

} // namespace firstwatch::conflist
