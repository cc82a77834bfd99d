import { HANDSHAKES_WITHOUT_SOURCE } from './handshakes.ts';
import { PROVIDERS } from './providers.ts';

/** The provider and the event type, as far as a request shows them. */
export interface Recognition {
  provider: string | null;
  /** The provider's own name of the type, such as `push` or `orders/create`. */
  eventType: string | null;
}

export interface HeaderRecognition extends Recognition {
  /** Whether the request has the header of a handshake that needs no source. */
  hasHandshakeHeader: boolean;
}

interface HeaderRule {
  /** Null for a header that identifies nobody. Its rank is the lowest. */
  provider: string | null;
  isType: boolean;
  rank: number;
  isOfHandshake: boolean;
}

const HANDSHAKE_HEADERS = HANDSHAKES_WITHOUT_SOURCE.flatMap(({ header = [] }) => header);
const OF_HANDSHAKE = { provider: null, isType: false, rank: 0, isOfHandshake: true };

/** The rules, by header name in lower case. */
const RULES = new Map<string, HeaderRule>([
  ...HANDSHAKE_HEADERS.map((header) => [header, OF_HANDSHAKE] as const),
  ...PROVIDERS.flatMap(({ name: provider, marks = [] }) =>
    marks.map(({ header, isType = false, rank }) => {
      const isOfHandshake = HANDSHAKE_HEADERS.includes(header);
      return [header, { provider, isType, rank, isOfHandshake }] as const;
    }),
  ),
]);

export const NOBODY: Recognition = { provider: null, eventType: null };
/** The largest length of an event type, characters. Longer types are truncated. */
export const MAX_TYPE_LENGTH = 100;

/**
 * Recognises a request, and the headers of handshakes, by its headers.
 *
 * @param rawHeaders name, value, name, value …
 */
export function recognise(rawHeaders: readonly string[]): HeaderRecognition {
  let best: HeaderRule | undefined;
  let type: string | null = null;
  let hasHandshakeHeader = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const rule = RULES.get((rawHeaders[i] as string).toLowerCase());
    if (!rule) continue;
    hasHandshakeHeader ||= rule.isOfHandshake;
    if (best && best.rank >= rule.rank) continue;
    best = rule;
    type = rule.isType ? (rawHeaders[i + 1] as string).slice(0, MAX_TYPE_LENGTH) : null;
  }
  return { provider: best?.provider ?? null, eventType: type, hasHandshakeHeader };
}
