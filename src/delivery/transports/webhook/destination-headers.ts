import { isObject } from '../../../core/settings/is-object.ts';
import { isSendable, mayPassOn } from './passed-on.ts';

/** A destination's own headers on each attempt. Their values are secret. */
export interface DestinationHeaders {
  /** Name, value, name, value … */
  flat: readonly string[];
  /** The names in lower case. */
  names: ReadonlySet<string>;
}

/**
 * Reads the headers of a destination. Returns null if any header can't be sent unchanged, because
 * the owner doesn't want a request without its credentials.
 *
 * @param text JSON, `{name: value}`
 */
export function readDestinationHeaders(text: string): DestinationHeaders | null {
  const entries = entriesOf(text);
  if (!entries) return null;
  const flat: string[] = [];
  const names = new Set<string>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    if (typeof value !== 'string' || !isSendable(name, value)) return null;
    if (!mayPassOn(key) || key.startsWith('webhook-')) return null;
    flat.push(name, value);
    names.add(key);
  }
  return { flat, names };
}

function entriesOf(text: string): [string, unknown][] | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}
