"""A server of Apus for a while, and what it answers when it is asked without a page."""

import base64
import json
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, program, *arguments, port=None, key=None):
        self.port, self.key = port or free_port(), key
        self.address = f"http://127.0.0.1:{self.port}/"
        self.log = tempfile.TemporaryFile()
        command = [program, *arguments, "--port", str(self.port)]
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        end = time.monotonic() + 60
        while True:
            try:
                self.get("health")
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    self.log.seek(0)
                    raise SystemExit(f"the server does not start:\n{self.log.read().decode()[-2000:]}") from None
                time.sleep(0.1)

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def get(self, path, body=None, headers=()):
        """What is answered: status, headers and bytes. Refusals are answers too."""
        request = urllib.request.Request(self.address + path, headers=dict(headers))
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def ask(self, path, body=None):
        """The JSON of an answer that must be one."""
        status, _, data = self.get(path, body)
        if status != 200:
            raise SystemExit(f"{path}: {status}: {data.decode()[:500]}")
        return json.loads(data)

    def results(self, path, picture=None, **body):
        if picture:
            body["image"] = base64.b64encode(picture.read_bytes()).decode()
        return self.ask(path, body)["results"]
