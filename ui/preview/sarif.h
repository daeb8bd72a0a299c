// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/filepreview.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <set>

namespace firstwatch::ui {

// Findings in files as tools for code review read them: SARIF 2.1.0, one run.
class SarifLog {
public:
    // `path` as it was given: a relative one is to be the repository's.
    void add(const QByteArray &path, const preview::FilePreview &file);
    void addProblem(const QString &text); // what could not be looked at
    [[nodiscard]] QJsonObject document(const QString &version) const; // of the program

private:
    QJsonArray m_results;
    std::set<int> m_codes; // of the results
    QStringList m_problems;
};

} // namespace firstwatch::ui
