// SPDX-License-Identifier: Apache-2.0
// fuzz_conflist_replay COUNT SEED FOLDER…: the files of the folders, then COUNT seeded mutations of them, through the
// fuzzer's target. For compilers without libFuzzer; a failure repeats with the same arguments.
#include <QByteArrayList>
#include <QDir>

#include <cstdio>
#include <random>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

namespace {

class Mutator {
public:
    Mutator(QByteArrayList seeds, unsigned seed)
        : m_seeds(std::move(seeds))
        , m_random(seed)
    {
    }
    QByteArray next()
    {
        QByteArray text = m_seeds[below(m_seeds.size())];
        for (qsizetype rounds = 1 + below(4); rounds > 0; --rounds)
            mutate(text);
        return text;
    }

private:
    qsizetype below(qsizetype bound) { return std::uniform_int_distribution<qsizetype>(0, bound - 1)(m_random); }
    void mutate(QByteArray &text)
    {
        static const QByteArrayList tokens{ "{", "}", "[", "]", ",", ":", "\"type\"", "\"Type\"", "\"name\"",
            "\"plugins\"", "\"linkerd-cni\"", R"({"type":"own"})", R"({"type":"x"})", "null", "true", "1e400",
            "-1.50e3", "\"\"", "\\ud800", "\xFF", "\\", "\xC2\xA0", "//", "\r\n", "\n", "\t", "    ", "[[",
            "\"cniVersion\":\"0.2.0\",", "\"dns\":{}," };
        const qsizetype at = below(text.size() + 1);
        switch (below(6)) {
        case 0:
            text.remove(at, 1 + below(8));
            break;
        case 1:
            text.truncate(at);
            break;
        case 2:
            text.insert(at, char(below(256)));
            break;
        case 3: {
            const QByteArray &other = m_seeds[below(m_seeds.size())];
            text.insert(at, other.mid(below(other.size() + 1), below(60)));
            break;
        }
        default:
            text.insert(at, tokens[below(tokens.size())]);
        }
    }

    QByteArrayList m_seeds;
    std::mt19937 m_random;
};

QByteArrayList filesOf(const QString &folder)
{
    QByteArrayList files;
    const QFileInfoList entries = QDir(folder).entryInfoList(QDir::Files, QDir::Name);
    for (const QFileInfo &entry : entries) {
        QFile file(entry.filePath());
        if (file.open(QIODevice::ReadOnly))
            files.append(file.readAll());
    }
    return files;
}

void runInEachCircumstance(const QByteArray &text)
{
    for (char circumstance = 0; circumstance < 8; ++circumstance) {
        const QByteArray input = circumstance + text;
        LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char *>(input.constData()), size_t(input.size()));
    }
}

} // namespace

int main(int argc, char **argv)
{
    QByteArrayList seeds;
    for (int i = 3; i < argc; ++i)
        seeds += filesOf(QString::fromLocal8Bit(argv[i]));
    if (seeds.isEmpty()) {
        std::fprintf(stderr, "usage: %s COUNT SEED FOLDER...\n", argv[0]);
        return 2;
    }
    for (const QByteArray &text : std::as_const(seeds))
        runInEachCircumstance(text);
    const int count = QByteArray(argv[1]).toInt();
    Mutator mutator(seeds, QByteArray(argv[2]).toUInt());
    for (int i = 0; i < count; ++i)
        runInEachCircumstance(mutator.next());
    std::printf("%lld seeds and %d mutations, in 8 circumstances each\n", qlonglong(seeds.size()), count);
    return 0;
}
