import { HookrelayError } from '../core/errors.ts';
import { existing } from './not-found.ts';

/** Times that others may change the thing between its read and its update. */
const MOST_TRIES = 20;

/**
 * Changes a thing that others may change at the same time. If the thing changes between its
 * read and its update, both are repeated, so that neither change is lost.
 *
 * Throws the 404 of the noun, and `overloaded`.
 *
 * @param update returns `changed` if the thing is newer than `before`, and null if it is gone
 */
export async function changeNewest<T>(
  noun: 'endpoint' | 'destination' | 'issue',
  find: () => Promise<T | null>,
  update: (before: T) => Promise<T | 'changed' | null>,
): Promise<{ before: T; after: T }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = existing(await find(), noun);
    const after = existing(await update(before), noun);
    if (after !== 'changed') return { before, after };
  }
  throw new HookrelayError('overloaded', `others keep changing this ${noun}`, {
    hint: 'send the change again',
    retryAfterS: 1,
  });
}
