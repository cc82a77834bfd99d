import { clean } from './words.ts';

/** The longest name of a type in a title, in characters. */
const MAX_TYPE = 60;

/** Returns how a drift's title and cause name a type; empty for events without a type. */
export function driftedType(type: string): string {
  return type === '' ? 'events without a type' : clean(type, MAX_TYPE);
}
