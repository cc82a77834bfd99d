import type { PayloadReader } from './payload-reader.ts';

/** The input of a describer. */
export interface Scene {
  event: {
    /** Values by lower-case name, duplicates joined by `, `. */
    headers: ReadonlyMap<string, string>;
  };
  facts: PayloadReader;
  /** The provider's word for the event, cleaned; null when it has none. */
  type: string | null;
}

/**
 * Describes an event in one to three sentences, the most important first: the change, its object
 * and the person who acted. An unknown kind of event gets no sentence: the explanation then lists
 * the payload's content.
 */
export type Describe = (scene: Scene) => string[];

/** `order.created` and `orders/create` in words: `order created`, `orders create`. */
export function worded(type: string): string {
  return type
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._/:-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Sentences without the empty ones. */
export function sentences(...texts: (string | null | false)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}
