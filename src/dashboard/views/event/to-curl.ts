import { base64 } from '../../text/binary.ts';

export interface CurlRequest {
  url: string;
  method: string;
  rawHeaders: readonly (readonly [string, string])[];
  bytes: Uint8Array;
  /** The body as text; null if the bytes aren't UTF-8. */
  text: string | null;
  /** The file that contains the body; null if the body fits into the command. */
  bodyFile?: string | null;
}

/** Headers that curl sets for its own connection. */
const OWN = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive']);
/** Headers that curl adds by itself. The command removes them if the request had none. */
const ADDED = ['accept', 'user-agent', 'content-type', 'expect'];
/** The longest argument, characters. Operating systems accept up to 128 KiB. */
const LONGEST_ARGUMENT = 100_000;
/** The longest body in a command, bytes. A longer body takes seconds to encode and to paste. */
const LONGEST_BODY = 1024 * 1024;

/** Returns whether a body is too large for the command. Such a body needs a file. */
export const isLargeForCurl = ({ length }: Uint8Array): boolean => length > LONGEST_BODY;

/**
 * Returns a command for POSIX shells that sends the same request again. Keeps the headers' case,
 * order and duplicates. A binary body comes through a pipe, because an argument can't contain it.
 */
export function toCurl(request: CurlRequest): string {
  const { url, method, rawHeaders, bytes, text, bodyFile = null } = request;
  const parts = [`curl -g --path-as-is ${quoted(url)}`];
  const isPlain =
    bodyFile === null &&
    text !== null &&
    !text.includes('\0') &&
    text.length < LONGEST_ARGUMENT &&
    isExact(text, bytes);
  if (method === 'HEAD' && bytes.length === 0) parts.push('--head');
  else if (method !== (bytes.length > 0 ? 'POST' : 'GET')) parts.push(`-X ${quoted(method)}`);
  const names = new Set<string>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    names.add(key);
    if (OWN.has(key)) continue;
    parts.push(`-H ${quotedLatin1(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  for (const name of ADDED) {
    const isAdded = name !== 'content-type' || bytes.length > 0;
    if (isAdded && !names.has(name)) parts.push(`-H '${name}:'`);
  }
  if (bytes.length === 0) return parts.join(' \\\n  ');
  if (bodyFile !== null)
    return [...parts, `--data-binary ${quoted(`@${bodyFile}`)}`].join(' \\\n  ');
  // `--data` and `--data-binary` would read a file if the body begins with @.
  if (isPlain) return [...parts, `--data-raw ${quoted(text as string)}`].join(' \\\n  ');
  const pipe = `printf %s ${base64(bytes)} | base64 -d | `;
  return pipe + [...parts, '--data-binary @-'].join(' \\\n  ');
}

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Quotes a header for the shell. Headers are Latin-1, but a terminal would send bytes above ASCII
 * as UTF-8.
 */
function quotedLatin1(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? quoted(text) : `$'${[...text].map(escaped).join('')}'`;
}

function escaped(char: string): string {
  const code = char.charCodeAt(0);
  if (char === "'" || char === '\\') return `\\${char}`;
  if (code >= 0x20 && code <= 0x7e) return char;
  return `\\x${code.toString(16).padStart(2, '0')}`;
}

/** Returns whether a text stays the same on the clipboard, which replaces lone surrogates. */
function isExact(text: string, bytes: Uint8Array): boolean {
  return text.isWellFormed() && new TextEncoder().encode(text).length === bytes.length;
}
