import { usage } from "./entry.ts";

export const USAGE_CODES = {
  USAGE_UNKNOWN_FLAG: usage(
    "A flag or command that this tool does not have.",
    "See --help for what there is.",
  ),
  USAGE_REPEATED_FLAG: usage("A flag was given more than once.", "Give each flag once."),
  USAGE_ARGUMENT: usage(
    "An argument is missing, is one too many or has a value out of range.",
    "See --help for the arguments and their ranges.",
  ),
  USAGE_NODE_TOO_OLD: usage(
    "This Node.js is too old for the command.",
    "Run it with the Node.js that package.json asks for.",
  ),
  USAGE_FRAMES: usage(
    "The frame range cannot be split into two slots.",
    "Give a range FIRST-LAST with at least two frames, FIRST not above LAST.",
  ),
  USAGE_SCENE_UNREADABLE: usage(
    "The scene file cannot be read or is not a .blend file.",
    "Check the path and the file's permissions.",
  ),
  USAGE_FILE_UNREADABLE: usage(
    "A file or folder that was named cannot be read.",
    "Check the path and its permissions.",
  ),
  USAGE_FILE_INVALID: usage(
    "A file that was named does not hold what it must.",
    "Compare the file with its schema in contracts/json-schema.",
  ),
  USAGE_FOLDER_UNWRITABLE: usage(
    "A folder that was named cannot be made or written to.",
    "Name another, or change its permissions.",
  ),
  USAGE_OUTPUT_EXISTS: usage("The output path is there already.", "Name a folder that does not exist yet."),
  USAGE_BLENDER_PIN: usage(
    "The pins file has no archive of that version for this platform.",
    "Add its URL, SHA-256 and size to the pins file.",
  ),
  USAGE_DISPATCH_KNOWN: usage(
    "There is an entry of that id already; neither its due time nor its host's gate was changed.",
    "Give another id; 'render-handoff dispatch list' shows what there is.",
  ),
  USAGE_DISPATCH_NOT_HELD: usage(
    "No host and no entry of that name is held.",
    "See 'render-handoff dispatch list' for what is held.",
  ),
  USAGE_NOW_NOT_LOCAL: usage(
    "--now was given, and an entry's gateway is not on this machine.",
    "Leave --now away: it is for trials with a gateway at a loopback address.",
  ),
  USAGE_TOKEN_FILE: usage(
    "The token file is missing, readable by others or does not hold a token.",
    "Write the token to a file of mode 0600 and name it with --token-file.",
  ),
  USAGE_INSECURE_GATEWAY: usage(
    "An http:// gateway beyond this machine would see the token in clear text.",
    "Use https://, or --allow-insecure if the network is trusted.",
  ),
  USAGE_INSECURE_BIND: usage(
    "The gateway would listen beyond this machine without TLS.",
    "Give --tls-cert and --tls-key, or --behind-proxy if a proxy ends TLS.",
  ),
} as const;
