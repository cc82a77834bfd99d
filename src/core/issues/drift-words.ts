import type { Drift } from '../shapes/drift-of.ts';
import type { KindName } from '../shapes/kind-of.ts';
import { clean } from '../text/words.ts';
import { driftStreakOf } from './drift-streak.ts';
import type { Issue } from './issue.ts';

/** How many changes a sentence names. It counts the others. */
const MOST_NAMED = 5;
/** How long a path in a sentence may be, characters. */
const MAX_PATH = 80;
/** How long a type in a title may be, characters. */
const MAX_TYPE = 60;

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
  return subject === '' ? 'events without a type' : clean(subject, MAX_TYPE);
}

/** Returns what changed, or null: `body.city is missing (was a string); body.total is new`. */
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
