import type { Drift } from '../shapes/drift-of.ts';
import type { KindName } from '../shapes/kind-of.ts';
import { driftedType } from '../text/drifted-type.ts';
import { clean } from '../text/words.ts';
import { driftStreakOf } from './drift-streak.ts';
import type { Issue } from './issue.ts';

/** The largest number of changes that a sentence names. Further changes are counted. */
const MOST_NAMED = 5;
/** The longest path in a sentence, characters. */
const MAX_PATH = 80;

const ARTICLES: Record<KindName, string> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a string',
  object: 'an object',
  array: 'an array',
};

/** Returns the type of a drift's events, such as `invoice.paid`. */
export function driftingType({ subject }: Pick<Issue, 'subject'>): string {
  return driftedType(subject);
}

/** Returns what changed: `body.city is missing (was a string)`. Null if nothing is known. */
export function changesText(issue: Pick<Issue, 'streak'>): string | null {
  const { changes } = driftStreakOf(issue);
  if (changes.length === 0) return null;
  const named = changes.slice(0, MOST_NAMED).map(changeText);
  const more = changes.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function changeText({ kind, path, expected, seen }: Drift): string {
  const member = clean(path, MAX_PATH);
  if (kind === 'new') return `${member} is new`;
  const now = seen === null ? 'missing' : ARTICLES[seen];
  const before = expected.map((name) => ARTICLES[name]).join(' or ');
  return `${member} is ${now}${before && ` (was ${before})`}`;
}
