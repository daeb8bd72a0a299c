// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netdir.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace firstwatch::test {

// A JWT with these claims and no true signature.
inline QByteArray jwt(const QJsonObject &claims)
{
    const auto part = [](const QByteArray &text) {
        return text.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    };
    return part(R"({"alg":"none"})") + '.' + part(QJsonDocument(claims).toJson(QJsonDocument::Compact)) + ".c2ln";
}
inline QByteArray jwt(qint64 issued, qint64 expires)
{
    return jwt({ { QStringLiteral("iat"), issued }, { QStringLiteral("exp"), expires } });
}

inline constexpr char caPem[] = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n";

// A projected service-account volume as the kubelet lays it out: "token" -> "..data/token", "..data" -> "..N", and a
// rotation that is one rename of the link.
class ServiceAccountDir {
public:
    ServiceAccountDir()
    {
        for (const char *name : { "token", "ca.crt" }) {
            const QByteArray target = "..data/" + QByteArray(name);
            (void)!::symlink(target.constData(), m_directory.path(name).constData());
        }
    }
    [[nodiscard]] QByteArray path() const { return m_directory.path(); }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return m_directory.path(name); }

    void rotate(const QByteArray &token, const QByteArray &ca = caPem)
    {
        const QByteArray generation = "..generation" + QByteArray::number(++m_generation);
        ::mkdir(path(generation).constData(), 0700);
        m_directory.writeInPlace(generation + "/token", token);
        m_directory.writeInPlace(generation + "/ca.crt", ca);
        (void)!::symlink(generation.constData(), path("..data_tmp").constData());
        ::rename(path("..data_tmp").constData(), path("..data").constData());
    }
    void remove(const QByteArray &name) const { m_directory.remove("..data/" + name); }

private:
    NetDir m_directory;
    int m_generation = 0;
};

} // namespace firstwatch::test
