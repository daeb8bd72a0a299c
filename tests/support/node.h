// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "netdir.h"
#include "process.h"
#include "tests/service/serviceaccount.h"

#include <QMap>

#include <csignal>
#include <functional>

namespace firstwatch::test {

inline constexpr char pluginType[] = "linkerd-cni";
inline constexpr char kubeconfigName[] = "ZZZ-linkerd-cni-kubeconfig";

// The owner's text of a patched config: what is left without our element, which has to be there once and last. Nothing
// when the text is not patched.
[[nodiscard]] std::optional<QByteArray> ownersText(
    const QByteArray &name, const QByteArray &text, const QByteArray &type = pluginType);

// A node of its own in a temporary directory (host root, plugin binaries of the container, service account), and
// firstwatchd as a process on it. Everything is there and usual when it is made; a test changes what it is about.
class Node final {
    Q_DISABLE_COPY_MOVE(Node)
    QTemporaryDir m_root;

public:
    Node();

    [[nodiscard]] QByteArray path(const QByteArray &below) const; // below the temporary directory
    const NetDir net; // host/etc/cni/net.d
    const NetDir bin; // host/opt/cni/bin
    const NetDir source; // the container's binaries
    ServiceAccountDir account;

    void set(const QByteArray &variable, const QByteArray &value); // empty: unset
    // Rules of sys/failpoint.h; with any, the program that has fail points is run.
    void setFaults(const QByteArray &rules);
    [[nodiscard]] QByteArray faults() const { return m_environment.value("FIRSTWATCH_FAULTS"); }
    // A command before the service's own, such as setpriv; it has to exec, so that the process is the service.
    void setWrapper(const QByteArrayList &command) { m_wrapper = command; }
    void setStderr(const QByteArray &file) { m_stderr = file; }

    void start(const QByteArrayList &arguments = {});
    // The usual beginning: an owner's config is there, the service starts and gets ready.
    bool startReady(const QByteArray &name, const QByteArray &text, const QByteArrayList &arguments = {});
    // `happens` before the start, or after the first pass. False when there is none.
    bool startAround(bool before, const std::function<void()> &happens);
    std::optional<int> run(const QByteArrayList &arguments); // starts, and waits for its end
    std::optional<int> stop(); // SIGTERM, and waits for its end
    void crash(int signal = SIGKILL);
    Process process;
    // Under the service, which may put its kubeconfig back meanwhile: tried until it is gone.
    void removeNetDir() const;

    [[nodiscard]] QByteArray output() const; // what the present or last run wrote on stdout
    [[nodiscard]] QByteArray log() const; // and on stderr
    [[nodiscard]] QList<journal::Event> events(); // the events among the latter
    [[nodiscard]] QList<journal::Event> events(journal::Kind kind, const QJsonObject &fields = {});
    // The first event of the kind with these fields among its own.
    std::optional<journal::Event> waitFor(journal::Kind kind, const QJsonObject &fields = {}, int ms = patienceMs);
    bool waitForFinding(int code, const QByteArray &file = {});
    [[nodiscard]] bool hasOpenFinding(int code);

    [[nodiscard]] QByteArray readyFile() const { return path("run/ready"); }
    [[nodiscard]] bool isReady() const;
    bool waitReady() const;
    bool waitNotReady() const;
    // The file is patched and holds this text of its owner.
    [[nodiscard]] bool isPatched(const QByteArray &name, const QByteArray &text) const;
    bool waitPatched(const QByteArray &name, const QByteArray &text) const;
    // Names of temporary files in the net dir and the bin dir.
    [[nodiscard]] QList<QByteArray> leftovers() const;

private:
    QMap<QByteArray, QByteArray> m_environment;
    QByteArrayList m_wrapper;
    QByteArray m_stderr;
    int m_run = 0;
    QList<journal::Event> m_events;
    qint64 m_parsed = 0; // bytes of the log
};

} // namespace firstwatch::test
