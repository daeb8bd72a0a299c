// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

#include <QByteArray>
#include <QString>

namespace firstwatch::cli {

enum class Colour { Auto, Always, Never };

// Where everything is written that the program says: data on the standard output, the rest on the standard error.
// Nothing is buffered, so that an interrupt costs no line.
class Output {
public:
    // `encoding`: of the locale, as nl_langinfo(3) names it.
    Output(Colour colour, bool isQuiet, const QByteArray &encoding);

    // As data may look: no colour for a pipe, and as wide as it gets.
    [[nodiscard]] const ui::Look &look() const { return m_look; }
    [[nodiscard]] bool isTerminal() const { return m_isTerminal; }
    [[nodiscard]] bool isQuiet() const { return m_isQuiet; }

    // On the standard output. Nothing when quiet.
    void data(const QString &text);
    void data(const QByteArray &bytes); // as it is
    // Through the pager that the variable PAGER names, when it is a terminal; else the same as data().
    void page(const QString &text);
    void lines(const QString &text); // our own text, with the signs that can be shown
    // On the standard error, with the program's name before it.
    void error(const QString &text);
    // On the standard error, unless quiet: what is good to know.
    void note(const QString &text);
    // The same, but only for a person who watches: one line that says how it ended.
    void verdict(const QString &text);

    // What is going on, on the last line of a terminal that is watched; an empty text takes it away. So does whatever
    // is said or shown meanwhile.
    void progress(const QByteArray &text);
    void progress(qint64 done, qint64 all); // "17/42 nodes", taken away when all are there

    // The data could not be written (a full disk): the program has then failed, whatever it found.
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    void say(const QString &text);
    [[nodiscard]] QByteArray shown(const QString &text) const;

    bool m_isQuiet = false;
    bool m_isTerminal = false;
    bool m_isWatched = false; // the standard error is a terminal
    bool m_isBroken = false;
    bool m_hasProgress = false;
    ui::Look m_look;
};

} // namespace firstwatch::cli
