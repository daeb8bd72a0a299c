#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""As much of an API server as kubectl asks for here: apiserver.py PODS PORT_FILE lists the Pod objects of the folder
PODS, and splices port-forward and exec to the streaming server of a real containerd. Which sandbox a pod is stands in
its annotation "sandbox". The variables of cri.sh (work, socket) have to be in the environment."""
import json
import os
import re
import socket
import subprocess
import sys
import threading
from functools import reduce
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

LIB = Path(__file__).resolve().parent
PODS = Path(sys.argv[1])

DISCOVERY = {
    "/version": {"major": "1", "minor": "20", "gitVersion": "v1.20.0"},
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
        {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}]},
}


def pods():
    return [json.loads(path.read_text()) for path in sorted(PODS.glob("[!.]*"))]


def is_selected(pod, query):
    """By labels and by fields, in the one form that is asked for: a=b,c=d."""
    def pairs(name):
        return [pair.split("=", 1) for pair in query.get(name, [""])[0].split(",") if pair]
    return (all(pod["metadata"]["labels"].get(label) == value for label, value in pairs("labelSelector"))
            and all(reduce(dict.get, field.split("."), pod) == value for field, value in pairs("fieldSelector")))


def cri(method, request):
    """Asks for the address of a stream. The request is protobuf's text form."""
    script = '. "$0/cri.sh"; cri "$@"'
    answer = subprocess.run(["bash", "-c", script, LIB, method, method + "Request", "StreamAddress"], input=request,
                            capture_output=True, text=True, check=True).stdout
    return urlsplit(re.search('url: "(.*)"', answer)[1])


def port_forward_address(pod, _):
    return cri("PortForward", "pod_sandbox_id: %s" % json.dumps(pod["metadata"]["annotations"]["sandbox"]))


def exec_address(pod, query):
    container = next(one for one in pod["status"]["containerStatuses"] if one["name"] == query["container"][0])
    words = ["cmd: %s" % json.dumps(word) for word in query["command"]]
    streams = ["%s: true" % name for name in ("stdin", "stdout", "stderr", "tty") if query.get(name) == ["true"]]
    container_id = container["containerID"].removeprefix("containerd://")
    return cri("Exec", " ".join(["container_id: %s" % json.dumps(container_id)] + words + streams))


STREAMS = {"portforward": port_forward_address, "exec": exec_address}


def pump(source, sink):
    """Until the source ends, however it does; the sink is told."""
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        place = re.fullmatch("/api/v1/namespaces/firstwatch/pods(?:/([^/]+))?(?:/([a-z]+))?", url.path)
        found = [pod for pod in pods() if is_selected(pod, query) and place and place[1] in (None, pod["metadata"]["name"])]
        if url.path in DISCOVERY:
            self.answer(200, DISCOVERY[url.path])
        elif place and not place[1]:
            self.answer(200, {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": found})
        elif not found or place[2] not in (None, *STREAMS):
            self.refuse(404, "NotFound")
        elif not place[2]:
            self.answer(200, found[0])
        elif "websocket" in self.headers.get("Upgrade", "").lower():
            self.refuse(400, "BadRequest")  # as servers before Kubernetes 1.30; kubectl then asks for SPDY
        else:
            self.splice(STREAMS[place[2]](found[0], query))

    do_POST = do_GET

    def answer(self, code, content):
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, code, reason):
        self.answer(code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
                           "message": "%s: %s" % (reason, self.path)})

    def splice(self, address):
        """Hands the request on, headers and all: the upgrade is between kubectl and containerd."""
        headers = ["%s: %s\r\n" % header for header in self.headers.items() if header[0].lower() != "host"]
        with socket.create_connection((address.hostname, address.port)) as upstream:
            upstream.sendall("".join(["%s %s HTTP/1.1\r\nHost: %s\r\n" % (self.command, address.path, address.netloc),
                                      *headers, "\r\n"]).encode())
            back = threading.Thread(target=pump, args=(upstream, self.connection))
            back.start()
            pump(self.connection, upstream)
            back.join()
        self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def main():
    server = Server(("127.0.0.1", 0), Handler)
    partial = sys.argv[2] + ".new"
    Path(partial).write_text(str(server.server_address[1]))
    os.rename(partial, sys.argv[2])
    server.serve_forever()


main()
