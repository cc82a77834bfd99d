import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../errors.ts';
import { freeMemory } from '../runtime/free-memory.ts';

export interface BodyLimits {
  maxBytes: number;
  /** The longest time for the body to arrive, ms. Default: the server's request timeout. */
  deadlineMs?: number;
  /** Called with the size of each chunk. On false, reading ends with `overloaded`. */
  reserve?: (bytes: number) => boolean;
}

/**
 * Reads the whole body of a request, at most `maxBytes`. Refuses a longer body early, by its
 * declared length or at the first chunk beyond the limit.
 *
 * Throws `payload_too_large`, `overloaded`, `request_timeout`, or `invalid_input` if the request
 * breaks off.
 */
export function readBody(req: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(req.headers['content-length'] ?? 0);
    if (declared > limits.maxBytes) {
      reject(tooLarge(limits.maxBytes));
      return;
    }
    if (req.destroyed && !req.complete) {
      reject(brokenOff());
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    let timer: NodeJS.Timeout | undefined;

    const finish = (): void => {
      clearTimeout(timer);
      req.off('data', onData);
      req.off('end', onEnd);
      req.off('close', onClose);
    };
    const fail = (error: HookrelayError): void => {
      finish();
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limits.maxBytes) fail(tooLarge(limits.maxBytes));
      else if (limits.reserve?.(chunk.length) === false) fail(tooMuchAtOnce());
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      finish();
      resolve(joined(chunks, length));
    };
    const onClose = (): void => {
      fail(brokenOff());
    };
    if (limits.deadlineMs !== undefined) {
      timer = setTimeout(() => {
        fail(new HookrelayError('request_timeout', 'the body took too long to arrive'));
      }, limits.deadlineMs);
    }
    req.on('data', onData);
    req.on('end', onEnd);
    req.on('close', onClose);
  });
}

function joined(chunks: readonly Buffer[], length: number): Buffer {
  if (chunks.length === 1) return chunks[0] as Buffer;
  const whole = Buffer.concat(chunks, length);
  for (const chunk of chunks) freeMemory(chunk);
  return whole;
}

export function tooMuchAtOnce(): HookrelayError {
  return new HookrelayError('overloaded', 'the server is receiving too much at once', {
    retryAfterS: 1,
  });
}

function brokenOff(): HookrelayError {
  return new HookrelayError('invalid_input', 'the connection closed before the body was complete');
}

function tooLarge(maxBytes: number): HookrelayError {
  return new HookrelayError('payload_too_large', `the body is larger than ${maxBytes} bytes`);
}
