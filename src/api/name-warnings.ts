import { counted } from '../core/text/words.ts';

interface Named {
  id: string;
  settings: { name: string | null };
}

/** The largest number of ids that a warning lists. */
const MOST_IDS = 3;

/**
 * Warns of a name that others have too, because a person can't tell them apart.
 *
 * @param all the endpoint's destinations, or those endpoints of the account that the caller may see
 */
export function nameWarnings({ id, settings: { name } }: Named, all: readonly Named[]) {
  if (name === null) return [];
  const others = all.filter((one) => one.id !== id && one.settings.name === name);
  if (others.length === 0) return [];
  const ids = others.slice(0, MOST_IDS).map((one) => one.id);
  const more = others.length - ids.length;
  const message = `is also the name of ${ids.join(', ')}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
  return [{ path: 'name', code: 'same_name', message }] as const;
}
