// SPDX-License-Identifier: Apache-2.0
#include "race/fixtures.h"
#include "race/scheduletokens.h"

#include "conflist/plan.h"
#include "conflist/shownname.h"

#include <algorithm>
#include <array>
#include <utility>

namespace firstwatch::race {
namespace {

constexpr int mostPieces = 1000;
constexpr qsizetype longestName = 255; // NAME_MAX
constexpr qsizetype largestSchedule = 4LL * 1024 * 1024;
constexpr char answerPrefix[] = "patch+";

struct StepWord {
    const char *name;
    Step::What what;
};
// "replace dir" is read as its first word.
constexpr std::array stepWords{ StepWord{ "write", Step::What::Write }, StepWord{ "create", Step::What::Create },
    StepWord{ "rename", Step::What::Rename }, StepWord{ "move", Step::What::Move },
    StepWord{ "delete", Step::What::Delete }, StepWord{ "mkdir", Step::What::MakeDir },
    StepWord{ "rmdir", Step::What::RemoveDir }, StepWord{ "replace", Step::What::ReplaceDir },
    StepWord{ "overflow", Step::What::Overflow } };

bool hasText(Step::What what)
{
    return what == Step::What::Write || what == Step::What::Create || what == Step::What::Rename;
}

bool hasFile(Step::What what)
{
    return hasText(what) || what == Step::What::Move || what == Step::What::Delete;
}

QString shown(const QByteArray &text)
{
    return u'\'' + conflist::shownName(text) + u'\'';
}

// One line. Each take… gives false when the line is wrong, which has then been said.
class Line {
public:
    Line(QList<Token> tokens, qsizetype length, ScheduleError &error)
        : m_tokens(std::move(tokens))
        , m_length(length)
        , m_error(error)
    {
    }

    bool take(Schedule &schedule)
    {
        const QByteArray &first = m_tokens.first().text;
        const bool isTime = first.startsWith('+') || first.startsWith('-') || first.startsWith(answerPrefix);
        if (m_tokens.first().kind == Token::Kind::Word && isTime) {
            Step step;
            if (!takeMoment(step) || !takeStep(step) || !takeEnd())
                return false;
            schedule.steps.append(step);
            return true;
        }
        return takeSetting(schedule) && takeEnd();
    }

private:
    bool fail(const QString &text)
    {
        m_error.column = m_at < m_tokens.size() ? m_tokens[m_at].column : int(m_length) + 1;
        m_error.text = text;
        return false;
    }

    // What stands here, for a message.
    [[nodiscard]] QString here() const
    {
        return m_at < m_tokens.size() ? shown(m_tokens[m_at].text) : QStringLiteral("the end of the line");
    }

    [[nodiscard]] bool isWord(const char *word) const
    {
        return m_at < m_tokens.size() && m_tokens[m_at].kind == Token::Kind::Word && m_tokens[m_at].text == word;
    }

    bool takeWord(const char *word, const QString &wayOut)
    {
        if (!isWord(word))
            return fail(here() + QStringLiteral(" stands where '%1' is needed: ").arg(QLatin1String(word)) + wayOut);
        ++m_at;
        return true;
    }

    bool takeEnd()
    {
        return m_at == m_tokens.size()
            || fail(here() + QStringLiteral(" is too much here: a line holds one step, and a comment begins with #"));
    }

    bool takeSpan(qint64 &ns)
    {
        const std::optional<qint64> span = m_at < m_tokens.size() && m_tokens[m_at].kind == Token::Kind::Word
            ? spanNs(m_tokens[m_at].text)
            : std::nullopt;
        if (!span)
            return fail(
                here() + QStringLiteral(" is no span of time: give one with its unit, such as 140ms, 1.5s or 20us"));
        ns = *span;
        ++m_at;
        return true;
    }

    bool takeCount(int &count, int most)
    {
        const std::optional<int> taken = m_at < m_tokens.size() ? countOf(m_tokens[m_at].text, most) : std::nullopt;
        if (!taken)
            return fail(here() + QStringLiteral(" is no such number: give one from 1 to %1").arg(most));
        count = *taken;
        ++m_at;
        return true;
    }

    bool takeMoment(Step &step)
    {
        const QByteArray &word = m_tokens.first().text;
        step.isAnswer = word.startsWith(answerPrefix);
        const qsizetype sign = step.isAnswer ? qsizetype(sizeof answerPrefix) - 1 : 1;
        const std::optional<qint64> span = spanNs(QByteArrayView(word).sliced(sign));
        if (!span)
            return fail(shown(word)
                + QStringLiteral(
                    " is no time: give +140ms after the start, -1s before it, or patch+2ms after a patch"));
        step.atNs = word.startsWith('-') ? -*span : *span;
        ++m_at;
        return true;
    }

    bool takeStep(Step &step)
    {
        const auto *const found =
            std::find_if(stepWords.cbegin(), stepWords.cend(), [&](const StepWord &each) { return isWord(each.name); });
        if (found == stepWords.cend()) {
            QStringList names;
            for (const StepWord &each : stepWords)
                names.append(QString::fromLatin1(stepName(each.what)));
            return fail(
                here() + QStringLiteral(" is nothing that happens: it is one of ") + names.join(QStringLiteral(", ")));
        }
        step.what = found->what;
        if (step.isAnswer && !hasFile(step.what))
            return fail(QStringLiteral("only what is done to a file can answer a patch: give a time such as +2s"));
        ++m_at;
        return takeObject(step) && takeRepetition(step);
    }

    bool takeObject(Step &step)
    {
        if (step.what == Step::What::ReplaceDir)
            return takeWord("dir", QStringLiteral("write 'replace dir'"));
        if (step.what == Step::What::Overflow)
            return takeSpan(step.spanNs);
        if (!hasFile(step.what))
            return true;
        if (!takeName(step.file))
            return false;
        if (step.what == Step::What::Move)
            return takeWord("to", QStringLiteral("write 'move OLD to NEW'")) && takeName(step.to);
        return !hasText(step.what) || (takeText(step.text) && takePieces(step));
    }

    bool takeName(QByteArray &name)
    {
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind == Token::Kind::Less)
            return fail(
                here() + QStringLiteral(" stands where the name of a file is needed, such as 10-calico.conflist"));
        name = m_tokens[m_at].text;
        if (name.isEmpty() || name == "." || name == ".." || name.contains('/') || name.contains('\0')
            || name.size() > longestName)
            return fail(here()
                + QStringLiteral(" is no name of a file in the net dir: give one without / of at most 255 bytes"));
        ++m_at;
        return true;
    }

    bool takeText(Text &text)
    {
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Less)
            return fail(
                here() + QStringLiteral(" stands where the content is needed: write < and a text, such as < calico"));
        ++m_at;
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind == Token::Kind::Less)
            return fail(QStringLiteral("after < stands a text in quotes, the name of one, or a path with a /"));
        const Token &token = m_tokens[m_at];
        text.value = token.text;
        text.from = token.kind == Token::Kind::Quoted ? Text::From::Literal
            : token.text.contains('/')                ? Text::From::File
                                                      : Text::From::Fixture;
        if (text.from == Text::From::Fixture && !fixture(text.value))
            return fail(here()
                + QStringLiteral(" is no text that is known: it is one of %1, a text in quotes, or a path with a /")
                      .arg(QString::fromLatin1(fixtureNames().join(", "))));
        if (text.from == Text::From::File && text.value.contains('\0'))
            return fail(QStringLiteral("a path has no NUL: leave it out"));
        if (text.value.size() > conflist::maximumFileSize)
            return fail(QStringLiteral("the text is larger than 1 MiB, which no config is: shorten it"));
        ++m_at;
        text.isPatched = isWord("patched");
        m_at += text.isPatched ? 1 : 0;
        return true;
    }

    bool takePieces(Step &step)
    {
        if (!isWord("in"))
            return true;
        if (step.what == Step::What::Rename)
            return fail(QStringLiteral("who renames shows the whole file at once: leave out 'in', or use write"));
        ++m_at;
        return takeCount(step.pieces, mostPieces)
            && takeWord("pieces", QStringLiteral("write 'in 2 pieces every 20ms'"))
            && takeWord("every", QStringLiteral("write 'in 2 pieces every 20ms'")) && takeSpan(step.gapNs);
    }

    bool takeRepetition(Step &step)
    {
        if (!isWord("times"))
            return true;
        ++m_at;
        if (!takeCount(step.times, mostTimes))
            return false;
        if (step.isAnswer)
            return !isWord("every") || fail(QStringLiteral("an answer comes after each patch: leave out 'every'"));
        return takeWord("every", QStringLiteral("write 'times 10 every 50ms'")) && takeSpan(step.everyNs);
    }

    bool takeSetting(Schedule &schedule)
    {
        if (isWord("title"))
            return once(Seen::Title) && takeLine(schedule.title);
        if (isWord("source"))
            return once(Seen::Source) && takeLine(schedule.source);
        if (isWord("until"))
            return once(Seen::Until) && takeUntil(schedule);
        if (isWord("deaf")) {
            schedule.isDeaf = true;
            return once(Seen::Deaf);
        }
        if (isWord("delay"))
            return takeDelay(schedule);
        return fail(here()
            + QStringLiteral(" begins no line: give a time such as +4ms, or title, source, delay, deaf or until"));
    }

    bool takeDelay(Schedule &schedule)
    {
        ++m_at;
        if (isWord("fork"))
            return once(Seen::Fork) && takeSpan(schedule.forkDelayNs);
        if (isWord("watch"))
            return once(Seen::Watch) && takeSpan(schedule.watchDelayNs);
        return fail(here() + QStringLiteral(" cannot be late: it is 'delay fork SPAN' or 'delay watch SPAN'"));
    }

    bool takeUntil(Schedule &schedule)
    {
        qint64 ns = 0;
        if (m_at < m_tokens.size() && m_tokens[m_at].text.startsWith('+'))
            m_tokens[m_at].text.remove(0, 1);
        if (!takeSpan(ns))
            return false;
        schedule.untilNs = ns;
        return true;
    }

    bool takeLine(QByteArray &text)
    {
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Quoted || m_tokens[m_at].text.contains('\n'))
            return fail(here() + QStringLiteral(" stands where a text in quotes is needed, of one line"));
        text = m_tokens[m_at++].text;
        return true;
    }

public:
    enum class Seen { Title, Source, Until, Deaf, Fork, Watch };
    static constexpr size_t settings = size_t(Seen::Watch) + 1;
    std::array<bool, settings> *seen = nullptr; // of the schedule so far

private:
    bool once(Seen setting)
    {
        if (std::exchange(seen->at(size_t(setting)), true))
            return fail(here() + QStringLiteral(" was said before: keep one of the two"));
        ++m_at;
        return true;
    }

    QList<Token> m_tokens;
    qsizetype m_length;
    ScheduleError &m_error;
    qsizetype m_at = 0;
};

} // namespace

std::optional<Schedule> parseSchedule(const QByteArray &text, ScheduleError &error)
{
    Schedule schedule;
    std::array<bool, Line::settings> seen{};
    error = {};
    if (text.size() > largestSchedule) {
        error.text =
            QStringLiteral("the schedule is larger than 4 MiB: name the texts instead, as < ./10-calico.conflist");
        return std::nullopt;
    }
    int happens = 0;
    error.line = 0;
    for (const QByteArray &line : text.split('\n')) {
        ++error.line;
        std::optional<QList<Token>> tokens = tokensOf(line, error);
        if (!tokens)
            return std::nullopt;
        if (tokens->isEmpty())
            continue;
        const qsizetype before = schedule.steps.size();
        Line parsed(std::move(*tokens), line.size(), error);
        parsed.seen = &seen;
        if (!parsed.take(schedule))
            return std::nullopt;
        if (schedule.steps.size() > before)
            happens += schedule.steps.last().times * schedule.steps.last().pieces;
        if (happens > mostTimes) {
            error.column = 1;
            error.text = QStringLiteral("more than %1 things happen: make the schedule smaller").arg(mostTimes);
            return std::nullopt;
        }
    }
    return schedule;
}

} // namespace firstwatch::race
