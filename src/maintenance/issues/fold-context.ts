import { newId } from '../../core/ids.ts';
import type { FoldContext } from '../../core/issues/issue-draft.ts';

/** Returns the context of a fold at `now`, Unix ms. */
export function foldContext(now: number): FoldContext {
  return { now, makeId: () => newId('iss', now) };
}
