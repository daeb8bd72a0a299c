// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

// The text of the plugin's kubeconfig. Pure functions.
namespace firstwatch::service {

// The same names as linkerd's installer writes, so that a plugin finds the context it knows. One of token and tokenFile
// is set. An empty caPem leaves the line out: for http.
struct KubeconfigParts {
    QByteArray serverUrl;
    bool skipTlsVerify = false;
    QByteArray caPem;
    QByteArray token;
    QByteArray tokenFile; // host path
};

struct KubeconfigText {
    QByteArray text;
    QString error; // names the part that cannot be written, never its value
};
[[nodiscard]] KubeconfigText kubeconfigText(const KubeconfigParts &parts);

// True when the text came from kubeconfigText().
[[nodiscard]] bool isOurKubeconfig(const QByteArray &text);
// The token that our own text holds; empty when it holds none.
[[nodiscard]] QByteArray tokenInKubeconfig(const QByteArray &text);
[[nodiscard]] bool namesTokenFile(const QByteArray &text);

// A YAML double-quoted scalar (YAML 1.2 section 7.3.1) in plain ASCII. Nothing for bytes that are not UTF-8 and for
// control characters.
[[nodiscard]] std::optional<QByteArray> yamlQuoted(const QByteArray &bytes);

} // namespace firstwatch::service
