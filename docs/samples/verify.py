import base64
import hmac
import json
import sys
import time


def verify(secret, headers, body):
    """`headers` named in lower case, or in any case if the mapping allows it; `body` the bytes as they arrived."""
    message_id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not message_id or not timestamp or not signatures:
        return False
    try:
        age = int(time.time()) - int(timestamp)
    except ValueError:
        return False
    if abs(age) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # With a secret that was never set, anyone could sign.
    if not key:
        return False
    digest = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(given.encode(), expected) for given in signatures.split(" "))


# To try it: {"secret": "whsec_…", "headers": {…}, "body": "…"} on standard input; exits with 0 if the signature is right, else 1.
if __name__ == "__main__":
    given = json.load(sys.stdin)
    sys.exit(0 if verify(given["secret"], given["headers"], given["body"].encode()) else 1)
