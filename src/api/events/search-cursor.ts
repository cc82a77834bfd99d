import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { HookrelayError } from '../../core/errors.ts';
import type { EventFilter } from '../../store/contract/events.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { invalidField } from '../invalid-input.ts';

const FINGERPRINT_CHARACTERS = 12;

const NO_CURSOR = 'is not a cursor of a search';

/** The form of a cursor: up to 16 digits, a dot and a fingerprint, in base64url. */
export const cursorSchema = v.pipe(
  v.string(NO_CURSOR),
  v.regex(/^[MNO][A-Za-z0-9_-]{18,38}$/, NO_CURSOR),
  v.description(
    'The cursor of an answer 503. The search continues there: it lists only older events, and `page` and `total` count only these.',
  ),
);

/** Returns an opaque cursor for a sequence number. The cursor is valid only for the same search. */
export function searchCursor(scope: Scope, filter: EventFilter, before: number): string {
  return Buffer.from(`${before}.${fingerprint(scope, filter)}`).toString('base64url');
}

/** Throws `invalid_input` if the text isn't a cursor of this search. */
export function placeOf(scope: Scope, filter: EventFilter, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, place = '', of] = /^(\d{1,16})\.(.*)$/.exec(text) ?? [];
  const before = Number(place);
  if (of === undefined || !Number.isSafeInteger(before)) throw refused(NO_CURSOR);
  if (of !== fingerprint(scope, filter)) throw refused('belongs to a search with other filters');
  return before;
}

function fingerprint(scope: Scope, filter: EventFilter): string {
  const given = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([scope, given]));
  return hash.digest('base64url').slice(0, FINGERPRINT_CHARACTERS);
}

export function refused(message: string): HookrelayError {
  return invalidField('cursor', message, 'leave cursor out to search from the newest event');
}
