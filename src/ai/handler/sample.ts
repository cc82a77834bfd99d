import type { AiEvent } from '../event-input.ts';

/** The captured request that a test sends. The test signs it. */
export interface HandlerSample {
  /** The names are in lower case. The values are printable ASCII. */
  headers: readonly [name: string, value: string][];
  /** Null if the body is too large for a source file. The test then reads it from `SAMPLE_FILE`. */
  body: Buffer | null;
  /** The event's id. With it, the body can be read from hookrelay. */
  eventId: string;
}

/** The file beside the test that holds a body of more than `MAX_BODY_BYTES`. */
export const SAMPLE_FILE = 'webhooks.sample';

/** The largest body in a source file, bytes. Editors become slow with larger files. */
const MAX_BODY_BYTES = 64 * 1024;

/** @param typeHeader the header from which the handler reads the event type; null without one */
export function sampleOf(event: AiEvent, typeHeader: string | null): HandlerSample {
  const names = ['content-type', ...(typeHeader === null ? [] : [typeHeader])];
  const headers = names.flatMap((name): [string, string][] => {
    const value = event.headers.get(name) ?? '';
    return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) ? [[name, value]] : [];
  });
  const body = event.body.length > MAX_BODY_BYTES ? null : event.body;
  return { headers, body, eventId: event.id };
}
