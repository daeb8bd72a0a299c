// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace firstwatch::test {

// A sample of Prometheus' text format 0.0.4.
struct Sample {
    QString name;
    QMap<QString, QString> labels;
    QString value;
    friend bool operator==(const Sample &, const Sample &) = default;
};

// What `promtool check metrics` and the format's own page ask for, as far as it can be seen from one text: families in
// one piece with HELP and TYPE before their samples and once, legal names, whole histograms, nothing twice.
class PromText {
public:
    explicit PromText(const QByteArray &text);

    [[nodiscard]] const QStringList &faults() const { return m_faults; }
    [[nodiscard]] const QList<Sample> &samples() const { return m_samples; }
    [[nodiscard]] const QMap<QString, QString> &types() const { return m_types; } // by family
    // Of the sample with that name and, if given, that label; nothing: NaN.
    [[nodiscard]] double value(const QString &name, const QString &label = {}, const QString &labelValue = {}) const;

private:
    void readLine(const QString &line);
    void readMeta(const QString &line);
    void readSample(const QString &line);
    void checkHistogram(const QString &family);
    [[nodiscard]] QString familyOf(const QString &name) const;

    QStringList m_faults;
    QList<Sample> m_samples;
    QMap<QString, QString> m_types;
    QMap<QString, QString> m_helps;
    QString m_family; // of the line before
    QStringList m_done; // families that have ended
};

} // namespace firstwatch::test
