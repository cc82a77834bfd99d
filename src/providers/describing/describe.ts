import type { PayloadReader } from './payload-reader.ts';

/** The input of a describer. */
export interface Scene {
  event: {
    /** Values by lower-case name, duplicates joined by `, `. */
    headers: ReadonlyMap<string, string>;
  };
  facts: PayloadReader;
  /** The provider's name of the event type, without control characters. Null if there is none. */
  type: string | null;
}

/**
 * Describes an event in one to three sentences, most important first: what changed, in which
 * object, and who did it. Returns an empty list for an unknown kind of event. The explanation then
 * lists the payload's content.
 */
export type Describe = (scene: Scene) => string[];

/** Returns a type as words: `orders create` for `orders/create`. */
export function worded(type: string): string {
  return type
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._/:-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Returns the sentences that aren't empty. */
export function sentences(...texts: (string | null | false)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}
