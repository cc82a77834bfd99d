import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import type { RejectedHeadAnswer } from '../../api/events/rejected-request-answer.ts';
import { bytesOf } from './binary.ts';

/** The exact body in an answer. */
interface ReadBody {
  bytes: Uint8Array<ArrayBuffer>;
  text: string | null;
}

export interface EventDetail extends Omit<EventHeadAnswer, 'body_encoding'>, ReadBody {}

export interface RejectedDetail extends Omit<RejectedHeadAnswer, 'body_encoding'>, ReadBody {}

/**
 * Reads the API's answer, which contains a JSON body byte for byte. Cuts the body out of the
 * answer's text, because `JSON.parse` would change the body's numbers.
 */
export const readEvent = (answer: string): EventDetail => readAnswer<EventHeadAnswer>(answer);
export const readRejected = (answer: string): RejectedDetail =>
  readAnswer<RejectedHeadAnswer>(answer);

/**
 * The text of the answer right before the body. A sender can't forge this text in a header, for two
 * reasons. Quotes within a string have backslashes. In the list of headers, a `]` never precedes a
 * member's name.
 */
const BODY_FOLLOWS = /\],"body_encoding":"(json|text|base64|none)","body":/;

function readAnswer<Head extends EventHeadAnswer | RejectedHeadAnswer>(
  answer: string,
): Omit<Head, 'body_encoding'> & ReadBody {
  const found = BODY_FOLLOWS.exec(answer);
  if (!found) throw new Error('the answer is not an event');
  const head = JSON.parse(`${answer.slice(0, found.index)}]}`) as Head;
  const body = answer.slice(found.index + found[0].length, answer.lastIndexOf('}'));
  return { ...head, ...readBody(body, found[1] as Head['body_encoding'], head.size) };
}

/** @param size the body's size, bytes */
function readBody(
  body: string,
  encoding: EventHeadAnswer['body_encoding'],
  size: number,
): ReadBody {
  switch (encoding) {
    case 'none':
      return { bytes: new Uint8Array(0), text: '' };
    case 'base64':
      return { bytes: bytesOf(atob(JSON.parse(body) as string)), text: null };
    case 'text': {
      const text = JSON.parse(body) as string;
      return { bytes: new TextEncoder().encode(text), text };
    }
    case 'json': {
      const bytes = new TextEncoder().encode(body);
      // The answer omits a byte order mark. The body's size then shows that three bytes are
      // missing.
      const isMarked = bytes.length + 3 === size;
      return { bytes: isMarked ? new TextEncoder().encode(`\ufeff${body}`) : bytes, text: body };
    }
  }
}
