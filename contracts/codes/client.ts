import { permanent, transient } from "./entry.ts";

/** Codes of gateway-client, of the lease and of faults of our own. */
export const CLIENT_CODES = {
  GATEWAY_UNREACHABLE: transient(
    null,
    "The gateway does not answer.",
    "Check the URL and that the gateway is running; then run again.",
  ),
  GATEWAY_TIMEOUT: transient(
    null,
    "The gateway did not answer in time; whether it acted is not known.",
    "Run again: the same bytes are sent with the same key.",
  ),
  GATEWAY_CONNECTION_LOST: transient(
    null,
    "The connection broke before the gateway's answer was complete; whether it acted is not known.",
    "Run again: the same bytes are sent with the same key.",
  ),
  GATEWAY_BLOB_DAMAGED: transient(
    null,
    "The bytes that the gateway sent do not have the digest or size that was asked for.",
    "Run again; if it stays so, tell the gateway's operator.",
  ),
  GATEWAY_UNAVAILABLE: transient(
    null,
    "The gateway asked to come back later.",
    "Run again after the time it gave.",
  ),
  GATEWAY_HELD: permanent(
    null,
    "The gateway asked for a pause that cannot be represented or is over 30 days; the host is held.",
    "An operator clears the hold with 'render-handoff dispatch unhold'.",
  ),
  GATEWAY_RESPONSE_INVALID: permanent(
    null,
    "The gateway's answer does not follow its contract.",
    "Check that the URL is that of a render-handoff gateway.",
  ),
  GATEWAY_RESPONSE_TOO_LARGE: permanent(
    null,
    "The gateway's answer is larger than its cap.",
    "Check that the URL is that of a render-handoff gateway.",
  ),
  GATEWAY_REDIRECT: permanent(
    null,
    "The gateway answered with a redirect, which is never followed.",
    "Give the final URL.",
  ),
  GATEWAY_IDENTITY_CHANGED: permanent(
    null,
    "Another gateway answers at this URL than the one first seen.",
    "Check the URL; use another --state folder for another gateway.",
  ),
  GATEWAY_UNAUTHORIZED: permanent(
    null,
    "The gateway does not accept the token.",
    "Check the token file; an administrator can issue a new token.",
  ),
  GATEWAY_REFUSED: permanent(
    null,
    "The gateway refused the request.",
    "Read the code that the gateway gave.",
  ),
  GATEWAY_DATA_LOCKED: transient(
    null,
    "Another process serves this data folder.",
    "Stop it, or send the command to it with --gateway.",
  ),
  GATEWAY_DATA_INVALID: permanent(
    null,
    "The data folder does not hold a gateway's data, or of a newer version.",
    "Check --data.",
  ),
  GATEWAY_STORE_FAILED: transient(
    null,
    "The gateway's store failed. Nothing was changed, unless it failed while it committed.",
    "Check the disk and the database, then run again; after a reopening look at the task first.",
  ),
  GATEWAY_PORT_TAKEN: permanent(
    null,
    "The address or port cannot be bound.",
    "Give another --port, or 0 for any free one.",
  ),
  LEASE_LOST: transient(
    null,
    "The lease ended or went to another worker; the work of this run is discarded.",
    "Run again to claim anew.",
  ),
  STATE_OUTBOX_LOST: permanent(
    null,
    "Finished work waits to be handed in, and its files are gone or changed.",
    "Bring the state folder back from a backup, or give the work up with 'render-child … --discard-lost'.",
  ),
  STATE_UNUSABLE: permanent(
    null,
    "The state folder cannot be used.",
    "Check --state: it must be a writable folder on a local file system.",
  ),
  OUTPUT_WRITE_FAILED: transient(
    null,
    "A file that was asked for could not be written.",
    "Check the disk, then run again.",
  ),
  DEMO_FAILED: permanent(
    null,
    "A part of the demo failed.",
    "Read what it said; 'render-handoff doctor' tells what this machine lacks.",
  ),
  INTERRUPTED: transient(null, "The run was stopped by a signal.", "Run again."),
  INTERNAL_UNEXPECTED: permanent(null, "A fault of this program.", "Report it with the log."),
} as const;
