import type { AiEvent } from '../event-input.ts';

/** The captured request as a test sends it. The test signs it. */
export interface HandlerSample {
  /** Names in lower case, values of printable ASCII. */
  headers: readonly [name: string, value: string][];
  /** Null for a body that is too large for a source file: the test reads it from `SAMPLE_FILE`. */
  body: Buffer | null;
  /** The event's id, by which the body can be read from hookrelay. */
  eventId: string;
}

/** The file beside the test with a body of more than `MAX_BODY_BYTES`. */
export const SAMPLE_FILE = 'webhooks.sample';

/** Largest body in a source file, bytes. Editors choke on larger files. */
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
