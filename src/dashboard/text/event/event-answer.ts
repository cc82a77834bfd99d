import type { EventHead } from '../../../api/answers/event.ts';
import type { RejectedHead } from '../../../api/answers/rejected-request.ts';
import { bytesOf } from '../binary.ts';
import { parseLossless } from '../lossless-json.ts';

/** A body's exact bytes. */
export interface ReadBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** The body as text; null when it isn't UTF-8. */
  text: string | null;
}

/** An event of the API. */
export interface EventDetail extends EventHead, ReadBody {}

/** A rejected request of the API. */
export interface RejectedDetail extends RejectedHead, ReadBody {}

/**
 * Reads the API's answer. The answer holds a JSON body byte for byte, so the body
 * is cut out of the text: `JSON.parse` would change its numbers.
 */
export const readEvent = (answer: string): EventDetail => readAnswer<EventHead>(answer);
export const readRejected = (answer: string): RejectedDetail => readAnswer<RejectedHead>(answer);

function readAnswer<Head extends EventHead | RejectedHead>(answer: string): Head & ReadBody {
  const head = JSON.parse(answer) as Head & { body: unknown };
  const { body, ...others } = head;
  const rest = others as unknown as Head;
  switch (rest.body_encoding) {
    case 'none':
      return { ...rest, bytes: new Uint8Array(0), text: '' };
    case 'base64':
      return { ...rest, bytes: bytesOf(atob(body as string)), text: null };
    case 'text':
      return { ...rest, bytes: new TextEncoder().encode(body as string), text: body as string };
    case 'json': {
      const text = exactBody(answer);
      const bytes = new TextEncoder().encode(text);
      // The answer leaves out a byte order mark. The missing three bytes reveal it.
      const isMarked = bytes.length + 3 === rest.size;
      return { ...rest, bytes: isMarked ? new TextEncoder().encode(`\ufeff${text}`) : bytes, text };
    }
  }
}

/**
 * The text of the answer's last member, the body, with its blanks. The answer is
 * parsed, because a search for the name could find it in a sender's header.
 */
function exactBody(answer: string): string {
  const member = parseLossless(answer)?.members.at(-1);
  if (member?.key !== '"body"') throw new Error('the answer is not an event');
  const { start } = member.value;
  const colon = answer.lastIndexOf(':', start);
  return answer.slice(colon + 1, answer.lastIndexOf('}'));
}
