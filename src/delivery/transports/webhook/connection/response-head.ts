import type { HeaderPair } from '../../../../core/model.ts';
import { AttemptFailure } from '../../../network/attempt-failure.ts';

/** The largest header section of a response, and the longest line that is kept, bytes. */
export const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;

/** Where the body of a response ends. A number is its length, bytes. */
export type BodyEnd = number | 'chunked' | 'close';

const STATUS_LINE = /^HTTP\/(1\.1|1\.0|0\.9|2\.0) (\d{3})(?: [^\r]*)?\r$/;
/** The value starts with a visible character, so a line that doesn't match fails in linear time. */
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*((?:[!-~\x80-\xff][\t -~\x80-\xff]*)?)\r$/;
const LENGTH = /^\d+ *$/;
const ENDS_CHUNKED = /(?:^|,) *chunked *$/i;

/** Returns the failure of a response that isn't valid HTTP/1.1. */
export function invalidResponse(reason: string): AttemptFailure {
  const message = `Response does not match the HTTP/1.1 protocol (${reason}).`;
  return new AttemptFailure('invalid_response', message);
}

export function tooLongHeaders(): AttemptFailure {
  const message = 'The response has too many or too long headers.';
  return new AttemptFailure('invalid_response', message);
}

/** Returns the name and the value of a header line that ends with CR. */
export function headerPair(line: string): HeaderPair {
  const match = HEADER_LINE.exec(line);
  if (!match) throw invalidResponse('Invalid header line');
  return [match[1] as string, match[2] as string];
}

/**
 * The status line and the headers of a response. Decides where the body ends (RFC 9112, section
 * 6.3). A response whose length could be read in two ways is refused: another reader could take a
 * part of its body for a response.
 */
export class ResponseHead {
  readonly status: number;
  /** Names and values as they came, in order. */
  readonly headers: HeaderPair[] = [];
  readonly #version: string;
  #bytes = 0;
  #length: number | null = null;
  /** The values of `Transfer-Encoding`, separated by commas. */
  #codings: string | null = null;
  #connection: string | null = null;
  #keepAlive: string | null = null;

  /** @param line the status line up to and including its CR */
  constructor(line: string) {
    const match = STATUS_LINE.exec(line);
    if (!match) throw invalidResponse('Invalid status line');
    this.#version = match[1] as string;
    this.status = Number(match[2]);
  }

  /** @param line a header line up to and including its CR */
  add(line: string): void {
    const pair = headerPair(line);
    const [name, value] = pair;
    this.#bytes += name.length + value.length;
    if (this.#bytes >= RESPONSE_HEADERS_MAX_BYTES) throw tooLongHeaders();
    this.headers.push(pair);
    switch (name.length) {
      case 'connection'.length:
      case 'proxy-connection'.length:
      case 'content-length'.length:
      case 'transfer-encoding'.length:
        this.#addFraming(name.toLowerCase(), value);
    }
  }

  /**
   * Returns where the body of a final response ends.
   *
   * @param isToHead whether it answers a HEAD request
   */
  bodyEnd(isToHead: boolean): BodyEnd {
    if (this.#codings !== null && this.#length !== null) {
      throw invalidResponse("Content-Length can't be present with Transfer-Encoding");
    }
    if (isToHead || this.status === 204 || this.status === 304) return 0;
    if (this.#codings === null) return this.#length ?? 'close';
    return ENDS_CHUNKED.test(this.#codings) ? 'chunked' : 'close';
  }

  /**
   * Whether the receiver keeps the connection after this response. Call it for any response but one
   * to HEAD.
   */
  get keepsConnection(): boolean {
    const options = this.#connection
      ?.toLowerCase()
      .split(',')
      .map((option) => option.trim());
    if (options?.includes('close')) return false;
    if (this.#version !== '1.1' && !options?.includes('keep-alive')) return false;
    // The receiver may have sent the body that these statuses don't have.
    const hasNoBody = this.status === 204 || this.status === 304;
    return !hasNoBody || (this.#codings === null && !this.#length);
  }

  /** The values of `Keep-Alive`, separated by commas; null without any. */
  get keepAlive(): string | null {
    return this.#keepAlive;
  }

  #addFraming(name: string, value: string): void {
    switch (name) {
      case 'keep-alive':
        this.#keepAlive = joined(this.#keepAlive, value);
        break;
      case 'connection':
      case 'proxy-connection':
        this.#connection = joined(this.#connection, value);
        break;
      case 'transfer-encoding':
        this.#codings = joined(this.#codings, value);
        break;
      case 'content-length':
        if (this.#length !== null) throw invalidResponse('Content-Length is present twice');
        this.#length = Number(value);
        if (!LENGTH.test(value) || !Number.isSafeInteger(this.#length)) {
          throw invalidResponse('Invalid Content-Length');
        }
    }
  }
}

/** Adds a repeated header's value. An empty one changes nothing, as in llhttp. */
function joined(before: string | null, value: string): string {
  return before === null || value === '' ? (before ?? value) : `${before},${value}`;
}
