import { isUtf8 } from 'node:buffer';
import { isJson } from '../../core/http/is-json.ts';
import type { EventHeadAnswer } from './event-answer.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export interface EncodedBody {
  encoding: EventHeadAnswer['body_encoding'];
  json: Buffer;
}

/**
 * Encodes a body for an answer. Embeds a JSON body unchanged. So numbers stay exact
 * (`12345678901234567890`, `1.0`, `1e400`), keys keep their order and duplicates, and deep nesting
 * overflows no stack. Other UTF-8 becomes a string, and other bytes base64.
 */
export function encodedBody(body: Buffer): EncodedBody {
  if (body.length === 0) return { encoding: 'none', json: Buffer.from('null') };
  if (!isUtf8(body)) {
    return { encoding: 'base64', json: Buffer.from(`"${body.toString('base64')}"`) };
  }
  // A byte order mark isn't part of JSON (RFC 8259, section 8.1), and would make the answer
  // invalid.
  const hasMark = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const json = body.subarray(hasMark ? BYTE_ORDER_MARK.length : 0);
  if (isJson(json)) return { encoding: 'json', json };
  return { encoding: 'text', json: Buffer.from(JSON.stringify(body.toString('utf8'))) };
}
