// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QtGlobal>

namespace firstwatch::test {

// While it lives, standard error is one end of a pipe, FIFO, socket or terminal; the test holds the other. Puts back
// the real one and Qt's message handler.
class StderrTo {
public:
    enum class What { Pipe, Fifo, Socket, Terminal };
    explicit StderrTo(What what);
    StderrTo(const StderrTo &) = delete;
    StderrTo &operator=(const StderrTo &) = delete;
    ~StderrTo();

    void fill() const; // until not a byte more goes in
    [[nodiscard]] QByteArray readAll() const; // what is there now
    [[nodiscard]] QByteArrayList lines() const; // readAll(), without newlines
    void closeReader() { m_reader.reset(); }

private:
    sys::FileDescriptor m_saved;
    sys::FileDescriptor m_reader;
    QtMessageHandler m_handler;
};

} // namespace firstwatch::test
