import { isHost } from '../host.ts';

/** A capture as most senders send them, read from the bytes of one chunk. */
export interface FastRequest {
  publicToken: string;
  /** Undecoded, as in `CaptureTarget`. */
  path: string;
  query: string;
  method: string;
  /** As Node's: name, value, name, value …, in order, with case and duplicates. */
  rawHeaders: string[];
  contentType: string | null;
  forwardedFor: string | undefined;
  /** A view of the chunk. */
  body: Buffer;
  /** Its sender wants the connection closed after the answer. */
  isLast: boolean;
}

/** Longer heads, and more headers, than senders of webhooks have. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_HEADERS = 64;
const LENGTH = /^(?:0|[1-9]\d{0,5})$/;
/** `/in/{public_token}`, what follows it and the query, all of it visible ASCII. */
const REQUEST_LINE =
  /^(POST|PUT|PATCH) \/in\/([\w-]{1,64})((?:\/[!"$->@-~]*)?)(?:\?([!"$-~]*))? HTTP\/1\.1$/;

const [LF, CR, BLANK, COLON] = [0x0a, 0x0d, 0x20, 0x3a];
/** By byte: 1 for what the names of headers are made of. */
const IN_NAMES = byBytes(/[\w-]/);
/** By byte: 1 for visible ASCII and the blank. */
const IN_VALUES = byBytes(/[ -~]/);

function byBytes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => +pattern.test(String.fromCharCode(byte)));
}

/**
 * Reads one chunk as one whole capture with a body of at most `maxBodyBytes`.
 * Returns null unless the request is unambiguous under RFC 9112 framing and fills
 * the chunk exactly. Null is no refusal: Node's parser then reads the same bytes
 * and takes or refuses them.
 *
 * This grammar may be narrower than Node's and must never be wider
 * (RFC 9112, sections 3 to 6).
 */
export function readFastRequest(bytes: Buffer, maxBodyBytes: number): FastRequest | null {
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, MAX_HEAD_BYTES));
  const lineEnd = text.indexOf('\r\n');
  if (lineEnd === -1) return null;
  const line = REQUEST_LINE.exec(text.slice(0, lineEnd));
  if (!line) return null;
  const rawHeaders: string[] = [];
  const bodyAt = readHeaders(bytes, text, lineEnd + 2, rawHeaders);
  if (bodyAt === -1) return null;
  const told = tellingHeaders(rawHeaders);
  if (!told || !isHost(told.host)) return null;
  const { length, contentType, forwardedFor, connection } = told;
  if (!LENGTH.test(length) || Number(length) > maxBodyBytes) return null;
  if (bytes.length !== bodyAt + Number(length)) return null;
  return {
    publicToken: line[2] as string,
    path: line[3] as string,
    query: line[4] ?? '',
    method: line[1] as string,
    rawHeaders,
    contentType: contentType || null,
    forwardedFor: forwardedFor || undefined,
    body: bytes.subarray(bodyAt),
    isLast: connection === 'close',
  };
}

/**
 * Reads `name: value` lines, each with just that one blank, into `rawHeaders`,
 * to the empty line. `text` is the bytes as far as a head may reach.
 *
 * Returns where the body begins, -1 for what isn't so.
 */
function readHeaders(bytes: Buffer, text: string, start: number, rawHeaders: string[]): number {
  let at = start;
  while (bytes[at] !== CR) {
    let colon = at;
    while (IN_NAMES[bytes[colon] as number]) colon++;
    const valueAt = colon + 2;
    let end = valueAt;
    while (IN_VALUES[bytes[end] as number]) end++;
    if (colon === at || bytes[colon] !== COLON || bytes[colon + 1] !== BLANK) return -1;
    // Blanks around it one reader trims and another keeps.
    if (end === valueAt || bytes[valueAt] === BLANK || bytes[end - 1] === BLANK) return -1;
    if (bytes[end] !== CR || bytes[end + 1] !== LF || end > text.length) return -1;
    rawHeaders.push(text.slice(at, colon), text.slice(valueAt, end));
    at = end + 2;
  }
  return bytes[at + 1] === LF && rawHeaders.length <= 2 * MAX_HEADERS ? at + 2 : -1;
}

interface TellingHeaders {
  host: string;
  length: string;
  contentType: string;
  forwardedFor: string;
  connection: string;
}

/** Those that decide something; null where one is there twice, or is Node's business. */
function tellingHeaders(rawHeaders: readonly string[]): TellingHeaders | null {
  // None of them can be empty.
  const told = { host: '', length: '', contentType: '', forwardedFor: '', connection: '' };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const value = rawHeaders[i + 1] as string;
    switch ((rawHeaders[i] as string).toLowerCase()) {
      case 'host':
        if (told.host) return null;
        told.host = value;
        break;
      case 'content-length':
        if (told.length) return null;
        told.length = value;
        break;
      case 'content-type':
        if (told.contentType) return null;
        told.contentType = value;
        break;
      case 'x-forwarded-for':
        if (told.forwardedFor) return null;
        told.forwardedFor = value;
        break;
      case 'connection':
        if (told.connection) return null;
        told.connection = value.toLowerCase();
        if (told.connection !== 'keep-alive' && told.connection !== 'close') return null;
        break;
      case 'expect':
      case 'proxy-connection':
      case 'trailer':
      case 'transfer-encoding':
      case 'upgrade':
        return null;
    }
  }
  return told;
}
