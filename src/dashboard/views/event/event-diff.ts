import type { EventDetail } from '../../text/event-answer.ts';
import type { Difference } from './json-diff.ts';

/**
 * Compares the method, path, query, source address and headers of two requests. Keeps duplicates.
 */
export function diffRequests(left: EventDetail, right: EventDetail): Difference[] {
  const found: Difference[] = [];
  for (const name of ['method', 'path', 'query', 'source_ip'] as const) {
    if (left[name] !== right[name])
      found.push({ path: name, left: left[name], right: right[name] });
  }
  const ofLeft = byName(left);
  const ofRight = byName(right);
  for (const name of new Set([...ofLeft.keys(), ...ofRight.keys()])) {
    const a = ofLeft.get(name) ?? [];
    const b = ofRight.get(name) ?? [];
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      if (a[i] !== b[i]) found.push({ path: name, left: a[i] ?? null, right: b[i] ?? null });
    }
  }
  return found;
}

function byName({ raw_headers }: EventDetail): Map<string, string[]> {
  const groups = Map.groupBy(raw_headers, ([name]) => name.toLowerCase());
  return new Map([...groups].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** Returns the offset of the first different byte, or null if the bodies are equal. */
export function firstDifference(left: Uint8Array, right: Uint8Array): number | null {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) if (left[at] !== right[at]) return at;
  return left.length === right.length ? null : length;
}
