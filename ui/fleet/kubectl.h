// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

namespace firstwatch::fleet {

// Which cluster, and how it is reached: the user's own kubectl with the user's own credentials.
struct Cluster {
    QString kubectl = QStringLiteral("kubectl"); // a name on PATH, or a path
    QString kubeconfig; // empty: kubectl's own choice, as the next two
    QString context;
    QString nameSpace;
    QString selector = QStringLiteral("app.kubernetes.io/name=firstwatch"); // of the service's pods
    quint16 port = 9911; // of the stream in the pod

    // Without the program: the options of the cluster, then `verb`.
    [[nodiscard]] QStringList arguments(const QStringList &verb) const;
    // The verb that lists its pods as JSON, those of one node or, with an empty name, all.
    [[nodiscard]] QStringList listPods(const QString &node = {}) const;
};

struct KubectlResult {
    enum class End { Exited, NotFound, TimedOut };
    End end = End::Exited;
    int exitCode = 0;
    QByteArray output;
    QByteArray errors; // the last 4 KiB of stderr
    [[nodiscard]] bool isGood() const { return end == End::Exited && exitCode == 0; }
};

// A failure with its code, in words: what kubectl said, verbatim, and the way out.
struct KubectlTrouble {
    int code = 0;
    QString text;
};
[[nodiscard]] KubectlTrouble troubleOf(const Cluster &cluster, const KubectlResult &result);

// The child ends with this process, however that ends. No shell is between.
void prepareChild(QProcess &process, const Cluster &cluster, const QStringList &verb);

// One run of kubectl that ends by itself. Ended by its own process id when this object goes.
class KubectlCall final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KubectlCall)
public:
    static constexpr int patienceMs = 30'000; // a credential plugin may ask the user's browser
    static constexpr qsizetype mostOutput = 64LL * 1024 * 1024;

    explicit KubectlCall(Cluster cluster, QObject *parent = nullptr);
    ~KubectlCall() override;
    void start(const QStringList &verb, int timeoutMs = patienceMs);

Q_SIGNALS:
    void finished(const firstwatch::fleet::KubectlResult &result); // once

private:
    void readAll();
    void finish(KubectlResult::End end);

    Cluster m_cluster;
    QProcess m_process;
    QTimer m_timer;
    KubectlResult m_result;
    bool m_isFinished = false;
};

} // namespace firstwatch::fleet
