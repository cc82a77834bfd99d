import { nearest } from '../../core/text/nearest.ts';

const MOST_NAMES = 3;

/** Returns the nearest spelling, then names that contain the word or are part of it. */
export function nearestProviders(word: string, names: readonly string[]): string[] {
  const wanted = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  if (wanted === '') return [];
  const alike = nearest(wanted, names);
  const within = names.filter((name) => name.includes(wanted) || wanted.includes(name));
  return [...new Set([...(alike === null ? [] : [alike]), ...within])].slice(0, MOST_NAMES);
}
