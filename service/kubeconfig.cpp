// SPDX-License-Identifier: Apache-2.0
#include "service/kubeconfig.h"

#include "service/kubeconfigtext.h"
#include "service/serverurl.h"
#include "service/tempfile.h"
#include "service/textfile.h"

#include "journal/event.h"
#include "journal/findingcodes.h"
#include "sys/syscalls.h"

#include <cerrno>
#include <unistd.h>

namespace firstwatch::service {
namespace {

namespace code = journal::code;

constexpr qsizetype longestFile = 1024LL * 1024;
constexpr mode_t tokenMode = 0600;

using Result = Kubeconfig::Result;
using Outcome = Kubeconfig::Outcome;

// A file of ours that is in the net dir now; anything but a regular file counts as none.
struct PresentFile {
    sys::FileDescriptor file;
    struct stat info { };
    QByteArray text;
    [[nodiscard]] bool isThere() const { return file.isValid(); }
};

PresentFile readPresent(int directory, const QByteArray &name)
{
    PresentFile present{ sys::openFile(directory, name), {}, {} };
    const bool usable = present.isThere() && sys::statFile(present.file.get(), present.info)
        && S_ISREG(present.info.st_mode) && sys::readAll(present.file.get(), longestFile, present.text);
    return usable ? std::move(present) : PresentFile{};
}

QByteArray tokenName(const Settings &settings)
{
    return settings.kubeconfigName + ".token";
}

enum class Ensured { AsItWas, Written, Failed }; // Failed leaves errno

bool writeNew(int directory, const QByteArray &name, const QByteArray &text, mode_t mode)
{
    // Never wider than asked, not even for a moment: 0600 at most from the first byte, the rest once it is whole.
    TempFile temporary(directory, name, mode & 0600);
    return temporary.isValid() && sys::writeAll(temporary.fd(), text) && sys::setMode(temporary.fd(), mode)
        && temporary.putInPlace();
}

Ensured ensureFile(int directory, const QByteArray &name, const QByteArray &text, mode_t mode)
{
    const PresentFile present = readPresent(directory, name);
    if (!present.isThere() || present.text != text || present.info.st_uid != ::geteuid())
        return writeNew(directory, name, text, mode) ? Ensured::Written : Ensured::Failed;
    const bool modeIsRight = (present.info.st_mode & 07777) == mode || sys::setMode(present.file.get(), mode);
    return modeIsRight ? Ensured::AsItWas : Ensured::Failed;
}

QByteArray presentToken(int directory, const Settings &settings, const PresentFile &present)
{
    return namesTokenFile(present.text) ? readPresent(directory, tokenName(settings)).text
                                        : tokenInKubeconfig(present.text);
}

// An expired token must not take the place of one that may last longer. One that is merely expired by our clock is
// written all the same: the clock may be wrong, and the API server is the judge.
bool wouldWorsen(const TokenTimes &fresh, const TokenTimes &held, qint64 now)
{
    return fresh.isExpired(now) && (!held.expires || *held.expires > *fresh.expires);
}

TextFile readCa(const Settings &settings, const ServiceAccount &account)
{
    TextFile ca = settings.kubeCaFile.isEmpty() ? readTextFile(account.directory.get(), "ca.crt", longestFile)
                                                : readTextFile(settings.kubeCaFile, longestFile);
    if (ca.error.isEmpty() && !ca.text.contains("-----BEGIN CERTIFICATE-----"))
        ca.error = QStringLiteral("no certificate in it");
    return ca;
}

// What to write, or why there is nothing good to write.
struct Draft {
    QByteArray text;
    Finding problem; // code 0: none
};

Draft draft(const Settings &settings, const ServiceAccount &account, const QByteArray &token)
{
    const ServerUrl server = serverUrl(settings.serviceProtocol, settings.serviceHost, settings.servicePort);
    if (!server.error.isEmpty())
        return { {}, { code::noApiServer, server.error } };
    KubeconfigParts parts;
    parts.serverUrl = server.url;
    parts.skipTlsVerify = settings.skipTlsVerify;
    if (!settings.skipTlsVerify && settings.serviceProtocol == "https") {
        const TextFile ca = readCa(settings, account);
        if (!ca.error.isEmpty())
            return { {}, { code::tokenUnreadable, QStringLiteral("the CA cannot be read (%1)").arg(ca.error) } };
        parts.caPem = ca.text;
    }
    if (settings.kubeconfigToken == TokenForm::Inline)
        parts.token = token;
    else
        parts.tokenFile = settings.netDir + '/' + tokenName(settings);
    const KubeconfigText text = kubeconfigText(parts);
    return { text.text, { text.error.isEmpty() ? 0 : code::tokenUnreadable, text.error } };
}

Result kept(Result result, const Finding &problem)
{
    result.outcome = Outcome::Kept;
    result.findings.append({ problem.code, problem.text + QStringLiteral(": the kubeconfig stays as it is") });
    return result;
}

int writeCode(int error)
{
    switch (error) {
    case EROFS:
        return code::readOnly;
    case ENOSPC:
    case EDQUOT:
        return code::noSpace;
    case EACCES:
    case EPERM:
        return code::permissionDenied;
    default:
        return code::ioError;
    }
}

Result failed(Result result, const Settings &settings, int error)
{
    result.outcome = Outcome::Failed;
    result.findings.append({ writeCode(error),
        QStringLiteral("the kubeconfig %1 cannot be written: %2")
            .arg(journal::shownName(settings.kubeconfigPath()), qt_error_string(error)) });
    return result;
}

// The token file first, since the kubeconfig names it.
Ensured ensureAll(int directory, const Settings &settings, const QByteArray &text, const QByteArray &token)
{
    Ensured credential = Ensured::AsItWas;
    if (settings.kubeconfigToken == TokenForm::File)
        credential = ensureFile(directory, tokenName(settings), token, tokenMode);
    if (credential == Ensured::Failed)
        return credential;
    const Ensured config = ensureFile(directory, settings.kubeconfigName, text, settings.kubeconfigMode);
    return config == Ensured::AsItWas ? credential : config;
}

Result writeToken(
    int directory, const Settings &settings, const ServiceAccount &account, const QByteArray &token, Result result)
{
    const Draft fresh = draft(settings, account, token);
    if (fresh.problem.code != 0)
        return kept(std::move(result), fresh.problem);
    const bool hadTokenFile = namesTokenFile(readPresent(directory, settings.kubeconfigName).text);
    const Ensured ensured = ensureAll(directory, settings, fresh.text, token);
    if (ensured == Ensured::Failed)
        return failed(std::move(result), settings, errno);
    if (hadTokenFile && settings.kubeconfigToken == TokenForm::Inline)
        (void)sys::unlinkName(directory, tokenName(settings)); // of a run with the other form
    result.outcome = ensured == Ensured::Written ? Outcome::Written : Outcome::Unchanged;
    result.token = tokenTimes(token);
    return result;
}

bool unlinkOrMissing(int directory, const QByteArray &name)
{
    return sys::unlinkName(directory, name) || errno == ENOENT;
}

} // namespace

Kubeconfig::Kubeconfig(const Settings &settings)
    : m_settings(settings)
{
}

QString Kubeconfig::refusal() const
{
    if (!ServiceAccount::open(m_settings.serviceAccountDir).isThere())
        return {};
    const QString error = serverUrl(m_settings.serviceProtocol, m_settings.serviceHost, m_settings.servicePort).error;
    return error.isEmpty() ? error : error + QStringLiteral(" (KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT)");
}

Result Kubeconfig::refresh(qint64 now) const
{
    Result result;
    const ServiceAccount account = ServiceAccount::open(m_settings.serviceAccountDir);
    if (!account.isThere()) {
        result.outcome = Outcome::NoToken;
        result.findings.append({ code::noServiceAccount,
            QStringLiteral("there is no directory %1, so no kubeconfig is written")
                .arg(journal::shownName(m_settings.serviceAccountDir)) });
        return result;
    }
    const sys::FileDescriptor directory = sys::openDirectory(m_settings.mountPrefix, m_settings.netDir);
    if (!directory.isValid())
        return failed(std::move(result), m_settings, errno);
    removeLeftovers(directory.get(), m_settings.kubeconfigName);
    removeLeftovers(directory.get(), tokenName(m_settings));

    const PresentFile present = readPresent(directory.get(), m_settings.kubeconfigName);
    const QByteArray held = presentToken(directory.get(), m_settings, present);
    result.token = tokenTimes(held);
    const Token token = readToken(account);
    if (!token.error.isEmpty())
        return kept(std::move(result), { code::tokenUnreadable, token.error });
    const TokenTimes fresh = tokenTimes(token.text);
    if (token.text != held && !held.isEmpty() && wouldWorsen(fresh, result.token, now))
        return kept(std::move(result), { code::tokenExpired, QStringLiteral("the mounted token has expired") });
    result.rotated = !held.isEmpty() && token.text != held;
    if (fresh.isExpired(now))
        result.findings.append({ code::tokenExpired, QStringLiteral("the token in the kubeconfig has expired") });
    return writeToken(directory.get(), m_settings, account, token.text, std::move(result));
}

Kubeconfig::Removal Kubeconfig::remove() const
{
    const sys::FileDescriptor directory = sys::openDirectory(m_settings.mountPrefix, m_settings.netDir);
    if (!directory.isValid())
        return { errno == ENOENT, errno == ENOENT ? QString() : qt_error_string(errno) };
    removeLeftovers(directory.get(), m_settings.kubeconfigName);
    removeLeftovers(directory.get(), tokenName(m_settings));
    const PresentFile present = readPresent(directory.get(), m_settings.kubeconfigName);
    if (!isOurKubeconfig(present.text))
        return { true, {} };
    // The token first: a run killed in between finds the kubeconfig again, and with it that there was a token.
    const bool done = (!namesTokenFile(present.text) || unlinkOrMissing(directory.get(), tokenName(m_settings)))
        && unlinkOrMissing(directory.get(), m_settings.kubeconfigName) && sys::syncDirectory(directory.get());
    return { done, done ? QString() : qt_error_string(errno) };
}

} // namespace firstwatch::service
