import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

mail = {
    "from": "Shop <hello@shop.test>",
    "to": ["ann@example.test"],
    "subject": "Hello from Python",
    "text": "It works.",
}
headers = {
    "Authorization": "Bearer " + os.environ["MAILROOM_API_KEY"],
    "Content-Type": "application/json",
    "Idempotency-Key": "hello-2",
}
try:
    url = os.environ["MAILROOM_URL"] + "/emails"
    with urlopen(Request(url, json.dumps(mail).encode(), headers), timeout=30) as response:
        print(json.load(response)["id"])
except HTTPError as refused:
    error = json.load(refused)
    raise SystemExit(f"{error['name']}: {error['message']} ({error['docs_url']})")
