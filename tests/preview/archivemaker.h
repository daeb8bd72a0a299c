// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <memory>

struct archive;

namespace firstwatch::test {

// Writes a tar archive member by member, hostile ones too. It is compressed as its name says.
class ArchiveMaker {
public:
    explicit ArchiveMaker(const QByteArray &path);
    ~ArchiveMaker();
    Q_DISABLE_COPY_MOVE(ArchiveMaker)

    void file(const QByteArray &name, const QByteArray &text, int mode = 0600);
    void symbolicLink(const QByteArray &name, const QByteArray &target);
    void hardLink(const QByteArray &name, const QByteArray &target);
    void device(const QByteArray &name);
    // All that is below `root`, as it is, with names from there on.
    void tree(const QByteArray &root);

private:
    archive *m_archive;
};

} // namespace firstwatch::test
