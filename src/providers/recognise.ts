import { PROVIDERS } from './providers.ts';

/** The provider and the event type, as far as a request shows them. */
export interface Recognition {
  provider: string | null;
  /** The provider's own name of the type, such as `push` or `orders/create`. */
  eventType: string | null;
}

interface HeaderRule {
  provider: string;
  isType: boolean;
  rank: number;
}

/** The rules, by header name in lower case. */
const RULES = new Map<string, HeaderRule>(
  PROVIDERS.flatMap(({ name: provider, marks = [] }) =>
    marks.map(({ header, isType = false, rank }) => [header, { provider, isType, rank }] as const),
  ),
);

export const NOBODY: Recognition = { provider: null, eventType: null };
/** The largest length of an event type, characters. Longer types are truncated. */
export const MAX_TYPE_LENGTH = 100;

/**
 * Recognises a request by its headers.
 *
 * @param rawHeaders name, value, name, value …
 */
export function recognise(rawHeaders: readonly string[]): Recognition {
  let best: HeaderRule | undefined;
  let type: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const rule = RULES.get((rawHeaders[i] as string).toLowerCase());
    if (!rule || (best && best.rank >= rule.rank)) continue;
    best = rule;
    type = rule.isType ? (rawHeaders[i + 1] as string).slice(0, MAX_TYPE_LENGTH) : null;
  }
  return best ? { provider: best.provider, eventType: type } : NOBODY;
}
