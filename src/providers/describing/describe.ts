import type { Facts } from './facts.ts';

/** What a describer looks at. */
export interface Scene {
  event: {
    /** By lower-case name, duplicates joined by `, `. */
    headers: ReadonlyMap<string, string>;
  };
  facts: Facts;
  /** The provider's word for the event, cleaned; null when it has none. */
  type: string | null;
}

/**
 * What happened, to what, by whom: one to three sentences, most telling first.
 * None where the describer doesn't know this kind of event; an answer of what
 * the payload holds takes their place.
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
