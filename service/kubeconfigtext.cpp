// SPDX-License-Identifier: Apache-2.0
#include "service/kubeconfigtext.h"

#include <QList>
#include <QStringDecoder>

namespace firstwatch::service {
namespace {

constexpr QByteArrayView firstLine =
    "# Written by firstwatchd for its CNI plugin, and again whenever the token changes.\n";
constexpr QByteArrayView tokenKey = "\n    token: \"";
constexpr QByteArrayView tokenFileKey = "\n    tokenFile: \"";

KubeconfigText refused(const char *part)
{
    return { {},
        QStringLiteral("%1 has control characters or is not UTF-8, so it cannot stand in a kubeconfig")
            .arg(QLatin1String(part)) };
}

QByteArray trustLine(const KubeconfigParts &parts)
{
    if (parts.skipTlsVerify)
        return "    insecure-skip-tls-verify: true\n";
    return parts.caPem.isEmpty() ? QByteArray() : "    certificate-authority-data: " + parts.caPem.toBase64() + '\n';
}

} // namespace

std::optional<QByteArray> yamlQuoted(const QByteArray &bytes)
{
    QStringDecoder decoder(
        QStringDecoder::Utf8, QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom);
    const QString text = decoder(bytes);
    if (decoder.hasError())
        return {};
    QByteArray quoted = "\"";
    for (const uint c : text.toUcs4()) {
        if (c < 0x20 || (c >= 0x7f && c < 0xa0))
            return {};
        if (c == '"' || c == '\\')
            quoted += '\\';
        if (c < 0x7f)
            quoted += char(c);
        else
            quoted += (c > 0xffff ? "\\U" : "\\u") + QByteArray::number(c, 16).rightJustified(c > 0xffff ? 8 : 4, '0');
    }
    return quoted + '"';
}

KubeconfigText kubeconfigText(const KubeconfigParts &parts)
{
    const auto server = yamlQuoted(parts.serverUrl);
    if (!server)
        return refused("the address of the API server");
    const bool inlined = parts.tokenFile.isEmpty();
    const auto credential = yamlQuoted(inlined ? parts.token : parts.tokenFile);
    if (!credential)
        return refused(inlined ? "the token" : "the path of the token file");
    return { firstLine.toByteArray() //
            + "apiVersion: v1\n"
              "kind: Config\n"
              "clusters:\n"
              "- name: local\n"
              "  cluster:\n"
              "    server: "
            + *server + '\n' + trustLine(parts)
            + "users:\n"
              "- name: linkerd-cni\n"
              "  user:\n"
              "    "
            + (inlined ? "token: " : "tokenFile: ") + *credential
            + "\n"
              "contexts:\n"
              "- name: linkerd-cni-context\n"
              "  context:\n"
              "    cluster: local\n"
              "    user: linkerd-cni\n"
              "current-context: linkerd-cni-context\n",
        {} };
}

bool isOurKubeconfig(const QByteArray &text)
{
    return text.startsWith(firstLine);
}

QByteArray tokenInKubeconfig(const QByteArray &text)
{
    const qsizetype key = text.indexOf(tokenKey);
    if (!isOurKubeconfig(text) || key < 0)
        return {};
    const qsizetype start = key + tokenKey.size();
    const qsizetype end = text.indexOf("\"\n", start);
    // Only a token without escapes is read back, as every JWT is one.
    const QByteArray token = end < 0 ? QByteArray() : text.sliced(start, end - start);
    return token.contains('\\') ? QByteArray() : token;
}

bool namesTokenFile(const QByteArray &text)
{
    return isOurKubeconfig(text) && text.contains(tokenFileKey);
}

} // namespace firstwatch::service
