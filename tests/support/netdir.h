// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QTemporaryDir>

#include <optional>

namespace firstwatch::test {

// A temporary net dir, and the ways in which owners write into it. File names are bytes. Failures abort the test
// program with the name and the errno, so that callers stay short.
class NetDir {
public:
    NetDir();
    explicit NetDir(const QByteArray &existing); // one that somebody else made and removes
    [[nodiscard]] QByteArray path() const { return m_path; }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return m_path + '/' + name; }

    void writeInPlace(const QByteArray &name, const QByteArray &text) const; // O_TRUNC, one write, close
    // O_TRUNC, half, half, close; with a pause between the halves.
    void writeInTwo(const QByteArray &name, const QByteArray &text, int pauseUs = 0) const;
    void writeByRename(const QByteArray &name, const QByteArray &text) const; // temporary name, rename over
    void writeNew(const QByteArray &name, const QByteArray &text) const; // unlink, O_EXCL, write, close
    [[nodiscard]] QByteArray read(const QByteArray &name) const; // empty when missing
    [[nodiscard]] bool exists(const QByteArray &name) const;
    void remove(const QByteArray &name) const;
    [[nodiscard]] QList<QByteArray> names() const; // sorted, dot files too

private:
    std::optional<QTemporaryDir> m_temporary;
    QByteArray m_path;
};

// A chain of one plugin, as small as a runtime accepts.
[[nodiscard]] QByteArray smallConflist(const QByteArray &network = "a", const QByteArray &type = "bridge");

} // namespace firstwatch::test
