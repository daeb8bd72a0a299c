// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/endpoint.h"

#include <QIODevice>
#include <QObject>

#include <memory>

namespace firstwatch::stream {

// One try to reach an endpoint, a socket or a child process, as bytes in and out. Never blocks.
class Connection : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Connection)
public:
    [[nodiscard]] static std::unique_ptr<Connection> make(const Endpoint &endpoint);
    ~Connection() override = default;

    // opened() or closed() comes, now or later.
    virtual void open() = 0;
    [[nodiscard]] virtual QIODevice &device() = 0;

Q_SIGNALS:
    void opened();
    // Why in words, with what the kernel or the child said, and as a finding (journal/findingcodes.h) where more is
    // known than that nobody was reached: else 0. What was read before can still be read.
    void closed(const QString &why, int code = 0);

protected:
    Connection() = default;
};

} // namespace firstwatch::stream
