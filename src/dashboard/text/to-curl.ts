import { base64 } from './binary.ts';

/** What curl needs to send a captured request once more. */
export interface CurlRequest {
  url: string;
  method: string;
  rawHeaders: readonly (readonly [string, string])[];
  bytes: Uint8Array;
  /** Null when the bytes aren't UTF-8. */
  text: string | null;
}

/** Those that curl makes of its own for the new connection. */
const OWN = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive']);
/** Those that curl would add of its own: taken away again where the request had none. */
const ADDED = ['accept', 'user-agent', 'content-type', 'expect'];
/** Systems take no longer argument than 128 KiB. */
const LONGEST_ARGUMENT = 100_000;

/**
 * A command for POSIX shells that sends the same bytes: same method, target,
 * headers with their case, order and duplicates, and body. Binary bodies come
 * by a pipe, since an argument can't hold them.
 */
export function toCurl({ url, method, rawHeaders, bytes, text }: CurlRequest): string {
  const parts = [`curl -g --path-as-is ${quoted(url)}`];
  const isPlain =
    text !== null && !text.includes('\0') && text.length < LONGEST_ARGUMENT && isExact(text, bytes);
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
  // Not --data or --data-binary: those read a file where the body begins with @.
  if (isPlain) return [...parts, `--data-raw ${quoted(text as string)}`].join(' \\\n  ');
  const pipe = `printf %s ${base64(bytes)} | base64 -d | `;
  return pipe + [...parts, '--data-binary @-'].join(' \\\n  ');
}

/** One word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same of a header, whose bytes past ASCII are Latin-1: a terminal would send UTF-8. */
function quotedLatin1(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? quoted(text) : `$'${[...text].map(escaped).join('')}'`;
}

function escaped(char: string): string {
  const code = char.charCodeAt(0);
  if (char === "'" || char === '\\') return `\\${char}`;
  if (code >= 0x20 && code <= 0x7e) return char;
  return `\\x${code.toString(16).padStart(2, '0')}`;
}

/** A lone surrogate would become something else on its way through the clipboard. */
function isExact(text: string, bytes: Uint8Array): boolean {
  return text.isWellFormed() && new TextEncoder().encode(text).length === bytes.length;
}
