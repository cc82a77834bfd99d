import { type FieldError, HookrelayError } from '../../core/errors.ts';
import type { Destination } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { invalidField } from '../invalid-input.ts';

/** Limits for the headers of one destination: their number, and bytes of names and values. */
export const MOST_HEADERS = 20;
const MOST_HEADER_BYTES = 8 * 1024;

/** A header in an input. Null removes the header. */
export type HeaderChange = readonly [name: string, value: string | null];
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Returns no headers if this server's secret key can't decrypt them. */
export function openHeaders({ id, sealedHeaders }: Destination, keys: Keys): HeaderList {
  const text = sealedHeaders && keys.open(sealedHeaders, id);
  return text === null ? [] : Object.entries(JSON.parse(text) as Record<string, string>);
}

export function sealHeaders(headers: HeaderList, id: string, keys: Keys): Uint8Array | null {
  return headers.length === 0 ? null : keys.seal(JSON.stringify(Object.fromEntries(headers)), id);
}

/**
 * Merges a change into headers. Ignores the case of names. Throws `invalid_input` if the result has
 * too many headers or bytes.
 *
 * @param change null removes all headers
 */
export function mergedHeaders(
  before: HeaderList,
  change: readonly HeaderChange[] | null,
): HeaderList {
  const merged = new Map(before.map((header) => [header[0].toLowerCase(), header]));
  if (change === null) merged.clear();
  for (const [name, value] of change ?? []) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), [name, value]);
  }
  const headers = [...merged.values()];
  if (headers.length > MOST_HEADERS) {
    throw invalidField('headers', `must be at most ${MOST_HEADERS} headers`);
  }
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MOST_HEADER_BYTES) {
    throw invalidField('headers', 'must be at most 8 KB, names and values together');
  }
  return headers;
}

/**
 * Throws `headers_required` if the change leaves out a header. Callers use it if a destination's
 * URL changes to another origin. Otherwise a person who can't read the headers could have them sent
 * to their own server.
 */
export function requireHeaders(
  headers: HeaderList,
  change: readonly HeaderChange[] | null | undefined,
): void {
  if (change === null) return;
  const named = new Set(change?.map(([name]) => name.toLowerCase()));
  const issues = headers
    .filter(([name]) => !named.has(name.toLowerCase()))
    .map(([name]): FieldError => ({ path: `headers.${name}`, message: 'must be sent again' }));
  if (issues.length === 0) return;
  throw new HookrelayError(
    'headers_required',
    'the new URL is on another server: its headers must be sent again',
    { hint: 'send "headers" with their values, or null to remove them', issues },
  );
}
