import { formatCount } from '../../../../core/text/words.ts';
import { AttemptFailure } from '../../../network/attempt-failure.ts';
import type { Exchange } from './exchange.ts';
import {
  headerPair,
  invalidResponse,
  RESPONSE_HEADERS_MAX_BYTES,
  ResponseHead,
  tooLongHeaders,
} from './response-head.ts';

/** The largest number of informational responses (1xx) before the final one. */
const INFORMATIONAL_MAX = 10_000;

/** A chunk's size and its extensions (RFC 9112, section 7.1.1), up to and including the CR. */
const CHUNK_LINE =
  /^([\da-f]+)(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]*|"(?:[\t !#-[\]-~]|\\[\t -~])*"))?)*\r$/i;

/** How a line begins that the chunk cut. A longer part of it is judged when the line is whole. */
const BEGINNINGS: Record<LineStep, RegExp> = {
  status: /^(?:H$|HT$|HTT$|HTTP$|HTTP\/)/,
  header: /^(?:\r$|[!#$%&'*+\-.^_`|~\w]+(?::|$))/,
  chunk: /^[\da-f]+(?:[;\r]|$)/i,
  chunk_end: /^\r$/,
  trailer: /^(?:\r$|[!#$%&'*+\-.^_`|~\w]+(?::|$))/,
};
const REASONS: Record<LineStep, string> = {
  status: 'Expected HTTP/',
  header: 'Invalid header line',
  chunk: 'Invalid chunk size',
  chunk_end: 'Expected CRLF after chunk data',
  trailer: 'Invalid trailer',
};

const [LF, CR] = [0x0a, 0x0d];

type ResponseHandler = Pick<Exchange, 'onHead' | 'onBody'>;

type LineStep = 'status' | 'header' | 'chunk' | 'chunk_end' | 'trailer';

/**
 * What the parser reads next: a line, a known number of bytes (of the body or of a chunk),
 * everything up to the end of the connection (`rest`), or nothing.
 */
type Step = LineStep | 'bytes' | 'chunk_bytes' | 'rest' | 'done';

/**
 * Reads the response to one request, in chunks that are cut anywhere. Throws an `AttemptFailure` for
 * a response that isn't valid HTTP/1.1, and then must not be used again.
 *
 * It is at least as strict as llhttp, which undici and Node use: a response that llhttp refuses, or
 * whose end llhttp finds elsewhere, never leaves a connection in use.
 */
export class ResponseParser {
  readonly #handler: ResponseHandler;
  readonly #isToHead: boolean;
  #step: Step = 'status';
  /** The beginning of a line that the last chunk cut. */
  #line = '';
  #head: ResponseHead | null = null;
  #informational = 0;
  /** Whether a 1xx announced the end of the connection. Nothing may follow. */
  #isClosing = false;
  /** The bytes that are left of the body or of the chunk. */
  #left = 0;
  #trailerBytes = 0;
  #hasBegun = false;
  #isExcessive = false;

  constructor(handler: ResponseHandler, isToHead: boolean) {
    this.#handler = handler;
    this.#isToHead = isToHead;
  }

  /** Whether a response has begun. Empty lines are no response. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the final response is complete. */
  get isDone(): boolean {
    return this.#step === 'done';
  }

  /**
   * Returns the head of a complete response whose connection can be used again. Otherwise returns
   * null.
   */
  get reusableAfter(): ResponseHead | null {
    const isReusable = this.isDone && !this.#isExcessive && this.#head?.keepsConnection;
    return isReusable ? this.#head : null;
  }

  read(chunk: Buffer): void {
    let at = 0;
    // For lines. One character is one byte, so places in both are the same.
    let text = '';
    while (at < chunk.length) {
      switch (this.#step) {
        case 'done':
          this.#isExcessive = true;
          return;
        case 'rest':
          this.#handler.onBody(at === 0 ? chunk : chunk.subarray(at));
          return;
        case 'bytes':
        case 'chunk_bytes': {
          const end = Math.min(at + this.#left, chunk.length);
          this.#left -= end - at;
          this.#handler.onBody(chunk.subarray(at, end));
          at = end;
          if (this.#left === 0) this.#step = this.#step === 'bytes' ? 'done' : 'chunk_end';
          break;
        }
        default: {
          const step = this.#step;
          if (step === 'status' && this.#line === '') {
            while (chunk[at] === CR || chunk[at] === LF) at++;
            if (at === chunk.length) return;
            this.#begin();
          }
          text ||= chunk.toString('latin1');
          const end = text.indexOf('\n', at);
          if (end === -1) {
            this.#keep(step, text.slice(at));
            return;
          }
          const line = this.#line + text.slice(at, end);
          this.#line = '';
          at = end + 1;
          this.#readLine(step, line);
        }
      }
    }
  }

  /** The receiver ended the connection. Returns whether the response is complete by that. */
  end(): boolean {
    if (this.#step === 'rest') this.#step = 'done';
    return this.isDone;
  }

  #begin(): void {
    if (this.#isClosing) throw invalidResponse('Data after `Connection: close`');
    this.#hasBegun = true;
  }

  /** Keeps the beginning of a line. Fails early where the rest can't make it valid. */
  #keep(step: LineStep, part: string): void {
    // A longer line is never valid. The connection bounds how much of it is read.
    if (this.#line.length <= RESPONSE_HEADERS_MAX_BYTES) this.#line += part;
    const isTooLong = this.#line.length > RESPONSE_HEADERS_MAX_BYTES;
    if (isTooLong && (step === 'header' || step === 'trailer')) throw tooLongHeaders();
    if (!BEGINNINGS[step].test(this.#line)) throw invalidResponse(REASONS[step]);
  }

  #readLine(step: LineStep, line: string): void {
    if (line.length > RESPONSE_HEADERS_MAX_BYTES) throw tooLongHeaders();
    const head = this.#head;
    if (step === 'status') {
      if (!BEGINNINGS.status.test(line)) throw invalidResponse(REASONS.status);
      this.#head = new ResponseHead(line);
      this.#step = 'header';
    } else if (step === 'header' && head) {
      if (line === '\r') this.#endHead(head);
      else head.add(line);
    } else if (step === 'chunk') {
      this.#readChunkSize(line);
    } else if (step === 'chunk_end') {
      if (line !== '\r') throw invalidResponse(REASONS.chunk_end);
      this.#step = 'chunk';
    } else if (line === '\r') {
      this.#step = 'done';
    } else {
      this.#readTrailer(line);
    }
  }

  #endHead(head: ResponseHead): void {
    const { status, headers } = head;
    const end = head.bodyEnd(this.#isToHead);
    if (status < 200) {
      this.#refuseUnexpected(status);
      this.#isClosing = !head.keepsConnection;
      this.#step = 'status';
      return;
    }
    if (end === 'chunked') {
      this.#step = 'chunk';
    } else if (end === 'close') {
      this.#step = 'rest';
    } else {
      this.#left = end;
      this.#step = end === 0 ? 'done' : 'bytes';
    }
    this.#handler.onHead(status, headers);
  }

  /** Throws at a status below 200 after which no final response can come. */
  #refuseUnexpected(status: number): void {
    if (status === 100) {
      const message = 'The response is an unrequested upgrade or 100 (Continue).';
      throw new AttemptFailure('invalid_response', message);
    }
    if (status === 101) {
      throw new AttemptFailure('invalid_response', 'The response is an unrequested upgrade (101).');
    }
    if (status < 100) {
      const shown = String(status).padStart(3, '0');
      const message = `The response has an invalid status (${shown}).`;
      throw new AttemptFailure('invalid_response', message);
    }
    if (++this.#informational > INFORMATIONAL_MAX) {
      const most = formatCount(INFORMATIONAL_MAX);
      const message = `The receiver sent more than ${most} informational responses (1xx).`;
      throw new AttemptFailure('response_flood', message);
    }
  }

  #readChunkSize(line: string): void {
    const size = Number.parseInt(CHUNK_LINE.exec(line)?.[1] ?? '', 16);
    if (!Number.isSafeInteger(size)) throw invalidResponse(REASONS.chunk);
    this.#left = size;
    this.#step = size === 0 ? 'trailer' : 'chunk_bytes';
  }

  /** Drops a trailer. One that would change the length of the body is refused. */
  #readTrailer(line: string): void {
    const [name, value] = headerPair(line);
    this.#trailerBytes += name.length + value.length;
    if (this.#trailerBytes >= RESPONSE_HEADERS_MAX_BYTES) throw tooLongHeaders();
    const key = name.toLowerCase();
    if (key === 'content-length' || key === 'transfer-encoding') {
      throw invalidResponse(REASONS.trailer);
    }
  }
}
