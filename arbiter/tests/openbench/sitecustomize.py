"""Answers OpenBench's requests to GitHub from files. Python loads this module first if it is on PYTHONPATH.

OPENBENCH_FILES is a folder whose file HOST/PATH answers https://HOST/PATH; a missing file answers 404. Nothing leaves the machine.
"""

import os
import pathlib
import urllib.parse

files = os.environ.get("OPENBENCH_FILES")
if files:
    import requests

    real_send = requests.adapters.HTTPAdapter.send

    def send(adapter, request, **options):
        url = urllib.parse.urlsplit(request.url)
        if url.hostname == "127.0.0.1":
            return real_send(adapter, request, **options)
        path = pathlib.Path(files, url.hostname, url.path.strip("/"))
        answer = requests.Response()
        answer.request, answer.url = request, request.url
        answer.status_code = 200 if path.is_file() else 404
        answer._content = path.read_bytes() if path.is_file() else b"{}"
        return answer

    requests.adapters.HTTPAdapter.send = send
