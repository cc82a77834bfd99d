import type { HeaderPair } from '../../src/core/model.ts';
import type { FetchedKey } from '../../src/providers/fetched-keys/fetched-key.ts';

/**
 * One way in which a provider proves its requests. The signature comes from the provider's
 * library or from its documentation, written with node:crypto, never from src/providers.
 * A file of `vectors` lists those of the provider that it is named after, or is a table of
 * providers that sign alike.
 */
export interface Vector {
  /** Which of the provider's ways this is; the provider's name where it has one. */
  name?: string;
  /** A secret as the provider gives it, and another one of the same form. */
  secret: string;
  otherSecret: string;
  /** The header that receivers look for. Null where the signature is in the body or the URL. */
  header: string | null;
  /** Headers that the provider sends and doesn't sign. */
  headers?: readonly HeaderPair[];
  method?: string;
  /** The URL that is registered at the provider. */
  url?: string;
  body: string | Buffer;
  /** The request as the provider sends it. */
  sign(request: ToSign, secret: string): Signed;
  /** The same request without its signature, where it isn't the header. */
  unsigned?(signed: Signed): Signed;
  grade?: 'authenticated';
  /** Set where a change of the body is found although the grade is `authenticated`. */
  coversBody?: boolean;
  /** Largest age in seconds, and how far in the future a time may be. Absent where neither is checked. */
  window?: { pastS: number; futureS: number | null };
  /** Set where this way doesn't cover the URL, and another way of the provider does. */
  ignoresUrl?: boolean;
  /** Set where hookrelay doesn't sign in this way. */
  isVerifiedOnly?: boolean;
  /** Whether the provider's own library takes a request, for what hookrelay signs. */
  accepts?(request: Signed & ToSign, secret: string): boolean | Promise<boolean>;
}

export interface ToSign {
  method: string;
  url: string;
  body: Buffer;
  /** The time of signing, Unix ms, a whole second. */
  at: number;
}

/** A signed request. The body and the URL are those of the request unless the signature changes them. */
export interface Signed {
  headers: readonly HeaderPair[];
  body?: Buffer;
  url?: string;
  /** The key on the network that verifies it. */
  key?: FetchedKey;
}

/** A request as it stands: one that a provider publishes, or one that shows a rule. */
export interface Published {
  /** The address of the publication, or the rule. */
  source: string;
  secret: string;
  method?: string;
  url?: string;
  headers: readonly HeaderPair[];
  body: string;
  key?: FetchedKey;
  /** Unix ms. */
  receivedAt?: number;
  grade?: 'authenticated';
  /** Why it is refused; absent where it verifies. */
  reason?: string;
}
