import { BorrowedBody } from '../../core/http/borrowed-body.ts';
import { isHost } from '../host.ts';
import type { HandOverCause } from './hand-over.ts';

/** A capture in the usual form, read from one chunk. */
export interface FastRequest {
  publicToken: string;
  /** The rest of the path, undecoded. */
  path: string;
  query: string;
  method: string;
  /** Name, value, name, value …, in order, with case and duplicates. */
  rawHeaders: string[];
  contentType: string | null;
  forwardedFor: string | undefined;
  /** The body within the chunk. `free` frees the whole chunk. */
  body: BorrowedBody;
  /** Whether the sender asks to close the connection after the answer. */
  isLast: boolean;
}

/** Limits of the head. Senders of webhooks stay below them. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_HEADERS = 64;
const LENGTH = /^(?:0|[1-9]\d{0,5})$/;
/** `/in/{public_token}`, the rest of the path, and the query, in visible ASCII. */
const REQUEST_LINE =
  /^(POST|PUT|PATCH) \/in\/([\w-]{1,64})((?:\/[!"$->@-~]*)?)(?:\?([!"$-~]*))? HTTP\/1\.1$/;

const OTHER_ROUTE = /^[A-Z]+ (?!\/in\/)/;

const [LF, CR, BLANK, COLON] = [0x0a, 0x0d, 0x20, 0x3a];
/** For each byte: 1 if a header name may contain it. */
const IN_NAMES = byBytes(/[\w-]/);
/** For each byte: 1 if it is visible ASCII or a space. */
const IN_VALUES = byBytes(/[ -~]/);

/** Whether `table` contains `byte`. A byte beyond the end is undefined. */
function isIn(table: Uint8Array, byte: number | undefined): boolean {
  return byte !== undefined && table[byte] === 1;
}

function byBytes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => +pattern.test(String.fromCharCode(byte)));
}

/**
 * Reads a chunk that is exactly one capture, with unambiguous framing under RFC 9112. For any other
 * chunk, returns the reason why Node must read it.
 *
 * Security depends on this function being stricter than Node's parser (RFC 9112, sections 3 to 6).
 */
export function readFastRequest(bytes: Buffer, maxBodyBytes: number): FastRequest | HandOverCause {
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, MAX_HEAD_BYTES));
  const lineEnd = text.indexOf('\r\n');
  const line = REQUEST_LINE.exec(text.slice(0, Math.max(0, lineEnd)));
  if (!line) return causeOf(text);
  const rawHeaders: string[] = [];
  const bodyAt = readHeaders(bytes, text, lineEnd + 2, rawHeaders);
  if (bodyAt === -1) return causeOf(text);
  const framing = framingHeaders(rawHeaders);
  if (!framing || !isHost(framing.host) || !LENGTH.test(framing.length)) return 'unusual';
  const length = Number(framing.length);
  if (length > maxBodyBytes) return 'large';
  if (bytes.length < bodyAt + length) return 'partial';
  if (bytes.length > bodyAt + length) return 'pipelined';
  const { contentType, forwardedFor, connection } = framing;
  return {
    publicToken: line[2] as string,
    path: line[3] as string,
    query: line[4] ?? '',
    method: line[1] as string,
    rawHeaders,
    contentType: contentType || null,
    forwardedFor: forwardedFor || undefined,
    body: new BorrowedBody(bytes.subarray(bodyAt), bytes),
    isLast: connection === 'close',
  };
}

function causeOf(text: string): HandOverCause {
  if (OTHER_ROUTE.test(text)) return 'route';
  if (text.includes('\r\n\r\n')) return 'unusual';
  return text.length < MAX_HEAD_BYTES ? 'partial' : 'large';
}

/**
 * Reads the lines `name: value` up to the empty line, and adds them to `rawHeaders`. Each line must
 * have exactly one space after the colon. `text` contains the first `MAX_HEAD_BYTES`.
 *
 * Returns the position of the body, or -1 if a line has another form.
 */
function readHeaders(bytes: Buffer, text: string, start: number, rawHeaders: string[]): number {
  let at = start;
  while (bytes[at] !== CR) {
    let colon = at;
    while (isIn(IN_NAMES, bytes[colon])) colon++;
    const valueAt = colon + 2;
    let end = valueAt;
    while (isIn(IN_VALUES, bytes[end])) end++;
    if (colon === at || bytes[colon] !== COLON || bytes[colon + 1] !== BLANK) return -1;
    // Parsers disagree whether spaces around a value belong to it.
    if (end === valueAt || bytes[valueAt] === BLANK || bytes[end - 1] === BLANK) return -1;
    if (bytes[end] !== CR || bytes[end + 1] !== LF || end > text.length) return -1;
    rawHeaders.push(text.slice(at, colon), text.slice(valueAt, end));
    at = end + 2;
  }
  return bytes[at + 1] === LF && rawHeaders.length <= 2 * MAX_HEADERS ? at + 2 : -1;
}

interface FramingHeaders {
  host: string;
  length: string;
  contentType: string;
  forwardedFor: string;
  connection: string;
}

/**
 * Returns the headers that decide framing and routing. Returns null if such a header is repeated,
 * or if only Node handles a header.
 */
function framingHeaders(rawHeaders: readonly string[]): FramingHeaders | null {
  // An empty string means absent, because `readHeaders` refuses empty values.
  const framing = { host: '', length: '', contentType: '', forwardedFor: '', connection: '' };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const value = rawHeaders[i + 1] as string;
    switch ((rawHeaders[i] as string).toLowerCase()) {
      case 'host':
        if (framing.host) return null;
        framing.host = value;
        break;
      case 'content-length':
        if (framing.length) return null;
        framing.length = value;
        break;
      case 'content-type':
        if (framing.contentType) return null;
        framing.contentType = value;
        break;
      case 'x-forwarded-for':
        if (framing.forwardedFor) return null;
        framing.forwardedFor = value;
        break;
      case 'connection':
        if (framing.connection) return null;
        framing.connection = value.toLowerCase();
        if (framing.connection !== 'keep-alive' && framing.connection !== 'close') return null;
        break;
      case 'expect':
      case 'proxy-connection':
      case 'trailer':
      case 'transfer-encoding':
      case 'upgrade':
        return null;
    }
  }
  return framing;
}
