// SPDX-License-Identifier: Apache-2.0
#include "conflist/mentions.h"
#include "invariants.h"

#include <cstdio>
#include <cstdlib>

using namespace firstwatch;
using namespace firstwatch::conflist;

namespace {

PluginTemplate plugin(const char *text)
{
    PluginTemplate::Error error;
    return PluginTemplate::parse(text, "/etc/cni/net.d/kubeconfig", error).value();
}

const Options &options(bool two, bool keep)
{
    static const PluginTemplate first = plugin(R"({"type":"linkerd-cni","name":"linkerd-cni","log_level":"info"})");
    static const PluginTemplate second =
        plugin(R"({"type":"own","n":[1.0,{"a":[]},"\ud83d\ude00"],"o":{"p":{},"q":"\\"}})");
    static const Options all[] = { { { first }, ChainPosition::Last }, { { first, second }, ChainPosition::Last },
        { { first }, ChainPosition::Keep }, { { first, second }, ChainPosition::Keep } };
    return all[(two ? 1 : 0) + (keep ? 2 : 0)];
}

} // namespace

// The first byte chooses the circumstances, the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size == 0)
        return 0;
    const QByteArray text(reinterpret_cast<const char *>(data) + 1, qsizetype(size) - 1);
    const QByteArray name = (data[0] & 1) != 0 ? "10-a.conf" : "10-a.conflist";
    if (const char *rule = test::brokenRule(name, text, options((data[0] & 2) != 0, (data[0] & 4) != 0))) {
        std::fprintf(stderr, "broken: %s\n", rule);
        std::abort();
    }
    PluginTemplate::Error error;
    static_cast<void>(PluginTemplate::parse(text, name, error));
    static_cast<void>(namedConfigs(text));
    return 0;
}
