// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/filepreview.h"
#include "ui/text/documentwriter.h"

#include <QStringList>

#include <set>

namespace firstwatch::ui {

// Findings in files as tools for code review read them: SARIF 2.1.0, one run, written as they come.
class SarifLog {
public:
    explicit SarifLog(DocumentWriter &writer); // begins the document
    // `path` as it was given: a relative one is to be the repository's.
    void add(const QByteArray &path, const preview::FilePreview &file);
    void addProblem(const QString &text); // what could not be looked at
    void end(const QString &version); // of the program

private:
    DocumentWriter &m_writer;
    std::set<int> m_codes; // of the results
    QStringList m_problems;
};

} // namespace firstwatch::ui
