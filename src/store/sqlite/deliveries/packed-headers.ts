import type { Attempt, HeaderPair } from '../../../core/model.ts';

/** Where a request's headers come from, for the most part. */
export interface HeaderSource
  extends Pick<Attempt, 'eventId' | 'deliveryId' | 'destinationUrl' | 'trigger' | 'attemptedAt'> {
  /** The event's headers as captured: name, value, name, value … */
  captured: readonly string[];
  /** The size of the event's body, bytes. */
  size: number;
}

/** A part of the known headers, from one place up to another. */
type Run = [from: number, to: number];

const AUTHORITY = /^[a-z]+:\/\/([^/?#]*)/;

/**
 * Returns a request's headers as an attempt's row keeps them: JSON, a list of headers and of runs.
 * A run stands for headers that follow from the event and from the attempt's other columns, which
 * are most of them. A row from before this form has no runs.
 */
export function packHeaders(sent: readonly HeaderPair[], source: HeaderSource): string {
  const known = knownHeaders(source);
  const packed: (HeaderPair | Run)[] = [];
  let run: Run | null = null;
  for (const [name, value] of sent) {
    const expected: number = run ? run[1] : 0;
    const at = placeOf(name, value, known, expected);
    if (at === null) {
      packed.push([name, value]);
      run = null;
    } else if (run && at === expected) {
      run[1]++;
    } else {
      run = [at, at + 1];
      packed.push(run);
    }
  }
  return JSON.stringify(packed);
}

/** Returns the headers that `packHeaders` packed. The source is made only for a row with runs. */
export function unpackHeaders(stored: string, source: () => HeaderSource): HeaderPair[] {
  const packed = JSON.parse(stored) as (HeaderPair | Run)[];
  let known: string[] | undefined;
  return packed.flatMap((part): HeaderPair[] => {
    if (!isRun(part)) return [part];
    known ??= knownHeaders(source());
    const pairs: HeaderPair[] = [];
    for (let at = part[0]; at < part[1]; at++) {
      pairs.push([known[2 * at] as string, known[2 * at + 1] as string]);
    }
    return pairs;
  });
}

function isRun(part: HeaderPair | Run): part is Run {
  return typeof part[0] === 'number';
}

/**
 * Returns names and values in the order in which requests have them. Rows refer to them by their
 * places, so the headers before the captured ones must stay as they are.
 */
function knownHeaders(source: HeaderSource): string[] {
  const { captured, eventId, deliveryId, destinationUrl, trigger, attemptedAt, size } = source;
  // biome-ignore format: a line for each header
  return [
    'x-hookrelay-event', eventId,
    'x-hookrelay-delivery', deliveryId,
    'x-hookrelay-attempt', '1',
    'x-hookrelay-trigger', trigger,
    'x-hookrelay-hops', '1',
    'webhook-id', eventId,
    'webhook-timestamp', String(Math.floor(attemptedAt / 1000)),
    'content-length', String(size),
    'host', AUTHORITY.exec(destinationUrl)?.[1] ?? '',
    'connection', 'keep-alive',
  ].concat(captured);
}

/** Returns the place of a header, which is `expected` for most; null if it isn't known. */
function placeOf(
  name: string,
  value: string,
  known: readonly string[],
  expected: number,
): number | null {
  for (let i = 2 * expected; i < known.length; i += 2) {
    if (known[i] === name && known[i + 1] === value) return i / 2;
  }
  for (let i = 0; i < 2 * expected; i += 2) {
    if (known[i] === name && known[i + 1] === value) return i / 2;
  }
  return null;
}
