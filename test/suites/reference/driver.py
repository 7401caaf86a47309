"""Plays JSON lines from stdin against the reference in the folder that is named; answers one line each."""
import base64
import json
import sys

sys.path.insert(0, sys.argv[1])
from sqlite_reference import LeaseQueue  # noqa: E402

KNOWN = {
    "task_identity_conflict", "invalid_string", "invalid_time", "invalid_ttl", "not_ready", "already_leased",
    "duplicate_json_key", "nonfinite_json", "invalid_request_shape", "invalid_fence", "idempotency_conflict",
    "stale_or_invalid_lease",
}


def code_of(error):
    text = str(error)
    if text in KNOWN:
        return text
    return "out_of_range_float" if text.startswith("Out of range float") else type(error).__name__


def play(queue, op):
    kind = op["op"]
    if kind == "enqueue":
        return queue.enqueue(op["task"], op["payload"])
    if kind == "claim":
        return queue.claim(op["task"], op["worker"], op["now"], op["ttl"])
    raw = base64.b64decode(op["raw"])
    return base64.b64encode(queue.submit(raw, op["key"], op["now"])).decode()


def row_of(queue, task):
    row = queue.db.execute(
        "SELECT state, worker_id, fencing_token, lease_expires_at FROM tasks WHERE task_id=?", (task,)
    ).fetchone()
    if row is None:
        return None
    count = queue.db.execute("SELECT count(*) FROM receipts WHERE task_id=?", (task,)).fetchone()[0]
    return {"state": row[0], "worker": row[1], "fence": row[2], "expires": row[3], "receipts": count}


queue = None
for line in sys.stdin:
    op = json.loads(line)
    if op["op"] == "open":
        if queue is not None:
            queue.close()
        queue = LeaseQueue(op["path"])
        answer = {"value": None, "code": "ok", "row": None}
    else:
        try:
            answer = {"value": play(queue, op), "code": "ok"}
        except (ValueError, RecursionError) as error:
            answer = {"value": None, "code": code_of(error)}
        answer["row"] = row_of(queue, op["task"])
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
