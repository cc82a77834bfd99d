import { HookrelayError } from '../core/errors.ts';

/** The nouns in the messages of the 404 errors. */
const NOUNS = {
  endpoint: 'endpoint',
  event: 'event',
  delivery: 'delivery',
  attempt: 'attempt',
  destination: 'destination',
  issue: 'issue',
  channel: 'channel',
  replay: 'bulk replay',
  rejected: 'rejected request',
} as const;

type Noun = keyof typeof NOUNS;

/** The 404 for an id that names nothing, or nothing that the caller may see. */
export function notFound(noun: Noun): HookrelayError {
  return new HookrelayError(`${noun}_not_found`, `there is no such ${NOUNS[noun]}`);
}

/** The thing that was looked for. Throws its 404 for null. */
export function existing<T>(thing: T | null, noun: Noun): T {
  if (thing === null) throw notFound(noun);
  return thing;
}
