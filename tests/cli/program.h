// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

namespace firstwatch::test {

// What one run of the program gave back.
struct Ran {
    int exitCode = -1; // -1: it did not end, or was killed
    QByteArray out;
    QByteArray err;
};

struct Surroundings {
    QStringList environment; // besides what every run has: "LC_ALL=C"
    QByteArray input;
    QString directory; // empty: that of the test
};

// Its usual environment: C.UTF-8, no colour wanted or refused, no width.
void prepare(QProcess &process, const QStringList &arguments, const Surroundings &around = {});
[[nodiscard]] Ran run(const QStringList &arguments, const Surroundings &around = {});
[[nodiscard]] QString capture(const char *name);

// Every verb that shows something of nodes, with each of its forms.
struct Form {
    QString verb;
    QString form;
    bool judges = false; // its exit code is what was found
};
[[nodiscard]] QList<Form> allForms();

} // namespace firstwatch::test
