// SPDX-License-Identifier: Apache-2.0
#include "stream/capture.h"

#include "journal/history.h"
#include "stream/protocol.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace firstwatch::stream {
namespace {

constexpr QLatin1String manifestSchema("firstwatch-capture/v1");
constexpr QLatin1String diffSchema("firstwatch-diff/v1");
constexpr int chunkBytes = 64 * 1024;

struct GzClose {
    void operator()(gzFile_s *file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, GzClose>;

QString kernelWord()
{
    return QString::fromLocal8Bit(std::strerror(errno));
}

QString damagedWord()
{
    return QStringLiteral("its gzip data end too early or are damaged");
}

QString gzipWord(gzFile_s *file)
{
    int code = Z_OK;
    (void)gzerror(file, &code);
    return code == Z_ERRNO ? kernelWord() : damagedWord();
}

bool isDirectory(const QByteArray &path)
{
    struct stat info { };
    return ::stat(path.constData(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Null with errno set.
GzFile openPacked(int descriptor, const char *mode)
{
    if (descriptor < 0)
        return nullptr;
    GzFile file(gzdopen(descriptor, mode));
    if (!file)
        ::close(descriptor);
    return file;
}

GzFile openForReading(const QByteArray &path)
{
    return openPacked(path == "-" ? ::dup(0) : ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOCTTY), "rb");
}

GzFile openForWriting(const QByteArray &path)
{
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    return openPacked(path == "-" ? ::dup(1) : ::open(path.constData(), flags, 0600), "wb9");
}

QJsonObject manifestJson(const Manifest &manifest)
{
    QJsonArray gaps;
    for (const Manifest::Gap &gap : manifest.gaps)
        gaps.append(QJsonObject{ { QStringLiteral("from"), qint64(gap.from) }, { QStringLiteral("to"), qint64(gap.to) },
            { QStringLiteral("why"), gap.why } });
    return { { QStringLiteral("schema"), manifestSchema }, { QStringLiteral("node"), manifest.node },
        { QStringLiteral("client"), manifest.client }, { QStringLiteral("captured_us"), manifest.capturedUs },
        { QStringLiteral("gaps"), gaps } };
}

quint64 seqOf(const QJsonValue &value)
{
    return quint64(std::max<qint64>(value.toInteger(), 0));
}

std::optional<Manifest> manifestFrom(const QByteArray &line)
{
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    if (json[QLatin1String("schema")] != manifestSchema)
        return {};
    Manifest manifest{ json[QLatin1String("node")].toString(), json[QLatin1String("client")].toString(),
        json[QLatin1String("captured_us")].toInteger(), {} };
    for (const QJsonValue gap : json[QLatin1String("gaps")].toArray())
        manifest.gaps.append({ seqOf(gap[QLatin1String("from")]), seqOf(gap[QLatin1String("to")]),
            gap[QLatin1String("why")].toString() });
    return manifest;
}

// Lines out of what is unpacked. One that is too long costs itself only, and no memory.
class Lines {
public:
    explicit Lines(Capture &capture)
        : m_capture(capture)
    {
    }

    void append(QByteArrayView bytes)
    {
        for (qsizetype end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n')) {
            keep(bytes.first(end));
            finish();
            bytes = bytes.sliced(end + 1);
        }
        keep(bytes);
    }

    void finish()
    {
        if (m_isTooLong)
            ++m_capture.torn;
        else if (!m_line.trimmed().isEmpty())
            take();
        m_line.clear();
        m_isTooLong = false;
    }

private:
    void keep(QByteArrayView bytes)
    {
        m_isTooLong = m_isTooLong || m_line.size() + bytes.size() > longestFrame;
        if (m_isTooLong)
            m_line.clear();
        else
            m_line.append(bytes);
    }

    void take()
    {
        if (const std::optional<journal::Event> event = capturedEvent(m_line)) {
            m_capture.events.append(*event);
            return;
        }
        if (takeDiff())
            return;
        const bool isFirst = !m_capture.manifest && m_capture.events.isEmpty() && m_capture.torn == 0;
        if (isFirst)
            m_capture.manifest = manifestFrom(m_line);
        m_capture.torn += isFirst && m_capture.manifest ? 0 : 1;
    }

    bool takeDiff()
    {
        const QJsonObject page =
            m_line.contains(diffSchema.data()) ? QJsonDocument::fromJson(m_line).object() : QJsonObject();
        if (page[QLatin1String("schema")] != diffSchema)
            return false;
        const DiffReader::Took took = m_diff.take(page);
        if (took == DiffReader::Took::Last)
            m_capture.diffs.append(m_diff.diff());
        return took != DiffReader::Took::Nothing;
    }

    Capture &m_capture;
    DiffReader m_diff;
    QByteArray m_line;
    bool m_isTooLong = false;
};

Capture readHistory(const QByteArray &directory)
{
    Capture capture;
    journal::History::Read read = journal::History::read(directory);
    capture.events = std::move(read.events);
    capture.torn = read.torn;
    return capture;
}

void readLines(gzFile_s *file, qint64 mostBytes, Capture &capture)
{
    Lines lines(capture);
    QByteArray chunk(chunkBytes, Qt::Uninitialized);
    for (qint64 rest = mostBytes; rest > 0;) {
        const int size = gzread(file, chunk.data(), unsigned(std::min<qint64>(chunkBytes, rest)));
        if (size < 0)
            capture.trouble = gzipWord(file);
        if (size <= 0)
            break;
        lines.append(QByteArrayView(chunk).first(size));
        rest -= size;
        capture.isCut = rest == 0 && gzgetc(file) >= 0;
    }
    if (capture.isCut)
        return; // inside a line
    lines.finish();
}

bool put(gzFile_s *file, const QByteArray &line)
{
    return gzwrite(file, line.constData(), unsigned(line.size())) == line.size();
}

bool put(gzFile_s *file, const QJsonObject &json)
{
    return put(file, QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n');
}

bool put(gzFile_s *file, const Diff &diff)
{
    for (QJsonObject page; page.isEmpty() || page[QLatin1String("more")].toBool();) {
        page = diffPage(diff, qsizetype(page[QLatin1String("next")].toInteger()));
        page.insert(QStringLiteral("schema"), diffSchema);
        if (!put(file, page))
            return false;
    }
    return true;
}

bool putAll(gzFile_s *file, const Manifest &manifest, const QList<journal::Event> &events, const QList<Diff> &diffs)
{
    return put(file, manifestJson(manifest)) && std::all_of(events.begin(), events.end(), [file](const auto &each) {
        return put(file, journal::toLine(each));
    }) && std::all_of(diffs.begin(), diffs.end(), [file](const Diff &each) { return put(file, each); });
}

} // namespace

std::optional<journal::Event> capturedEvent(const QByteArray &line)
{
    const qsizetype begin = line.indexOf('{');
    return begin < 0 ? std::nullopt : journal::fromLine(begin == 0 ? line : line.sliced(begin));
}

Capture readCapture(const QByteArray &path, qint64 mostBytes)
{
    if (path != "-" && isDirectory(path))
        return readHistory(path);
    Capture capture;
    GzFile file = openForReading(path);
    if (!file) {
        capture.trouble = kernelWord();
        return capture;
    }
    readLines(file.get(), mostBytes, capture);
    // Only closing tells that a stream was cut off (zlib.h).
    if (gzclose(file.release()) == Z_BUF_ERROR && capture.trouble.isEmpty() && !capture.isCut)
        capture.trouble = damagedWord();
    return capture;
}

bool writeCapture(const QByteArray &path, const Manifest &manifest, const QList<journal::Event> &events,
    const QList<Diff> &diffs, QString &error)
{
    GzFile file = openForWriting(path);
    const bool hasFile = file != nullptr;
    bool isWritten = hasFile && putAll(file.get(), manifest, events, diffs);
    if (file && gzclose(file.release()) != Z_OK)
        isWritten = false;
    if (isWritten)
        return true;
    error = kernelWord();
    if (hasFile && path != "-")
        ::unlink(path.constData()); // half a capture is none
    return false;
}

} // namespace firstwatch::stream
