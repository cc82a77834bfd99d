import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';

/** The destinations of an edited copy. */
export interface CopyChoice {
  ids: readonly string[];
  /** Whether the user must still choose. */
  isOpen: boolean;
}

/** Returns whether a destination can get a copy. A disabled one gets nothing. */
export function canGet({ state }: Pick<DestinationAnswer, 'state'>): boolean {
  return state !== 'disabled';
}

/**
 * Returns the choice of an edited copy's destinations. The only destination is chosen at first.
 * Nothing is where there are several, so that no copy reaches production by accident, or where the
 * only one signs as the provider and so refuses copies.
 *
 * @param destinations null while they load
 * @param chosen the user's choice; null before the first
 */
export function copyChoice(
  destinations: readonly Pick<DestinationAnswer, 'id' | 'state' | 'sign_as'>[] | null,
  chosen: readonly string[] | null,
): CopyChoice {
  if (destinations === null) return { ids: [], isOpen: true };
  const able = destinations.filter(canGet);
  const [only] = able;
  const first = able.length === 1 && only?.sign_as === null ? [only.id] : [];
  const ids = (chosen ?? first).filter((id) => able.some((one) => one.id === id));
  return { ids, isOpen: ids.length === 0 && able.length > 0 };
}
