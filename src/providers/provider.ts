import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import type { Proof } from './signing/proof.ts';
import type { Signature } from './signing/signature.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * A sender of webhooks: how to recognise its requests, and how it proves them. The capture path
 * loads all providers at start, so samples and describers are files of their own.
 */
export interface Provider {
  /** The id in events: lower case, words joined by dashes. A provider's folder has this name. */
  name: string;
  /** The provider's own spelling of its name: `GitHub`. */
  title: string;
  /** Begins a sentence about an event, for a protocol of many services: `A CloudEvents source`. */
  sender?: string;
  /** The headers wrap any service's body, so the body may name another provider. */
  isEnvelope?: boolean;
  /** Headers that only this provider sends. */
  marks?: readonly HeaderMark[];
  /** Layouts of bodies that only this provider sends. */
  shapes?: readonly BodyShape[];
  /** Types that `shapes` name and the body doesn't contain. */
  namedTypes?: readonly string[];
  /**
   * Paths of the event type in a body, for requests without a type in a header. The first text
   * counts.
   */
  typePaths?: readonly string[][];
  /** The header with the provider's id of this delivery, in lower case. */
  deliveryIdHeader?: string;
  signature?: Signature;
  /** How a receiver verifies its requests. */
  proof?: Proof;
  /**
   * The smallest body that this provider's proof needs, with an event type. A text is sent as it
   * is, anything else as JSON. Absent where `typePaths` and `once` suffice.
   */
  leastBody?(type: string): string | object;
  once?: OnceBy;
  /** The member of a body that marks events of test mode, which have their own secrets. */
  mode?: { path: readonly string[]; live: unknown; test: unknown };
  handshakes?: readonly Handshake[];
}

/** What a provider repeats when it sends a delivery again. */
export interface OnceBy {
  /** Lists of paths (`core/rules`). The first list counts of which a request has every path. */
  by: readonly (readonly string[])[];
  /** Paths of body members that differ between retries of one delivery. */
  varies?: readonly string[];
}

export interface HeaderMark {
  /** The header's name, in lower case. */
  header: string;
  /** The header's value is the event's type. */
  isType?: boolean;
  /** A request may carry marks of several providers. The highest rank wins. */
  rank: number;
}

/** Reads own members of any value. `undefined` for an absent member. */
export type MemberReader = (...path: string[]) => unknown;

/**
 * The event type of this provider's body: null for an event without a type, undefined for another
 * provider's body. A shape tests at least two members that only this provider sends together.
 */
type BodyShape = (look: MemberReader) => unknown;

/** A request by which a provider checks a URL before it sends events. */
export interface Handshake {
  /** Whether a request is this handshake. It must be cheap, because it runs on every captured request. */
  matches(request: HandshakeRequest): boolean;
  /** Set where no other request looks like it: endpoints without a source answer it too. */
  withoutSource?: boolean;
  /**
   * Set where the provider signs it: hookrelay answers only a verified one. `or_refused`: the
   * provider sends forgeries on purpose and wants 401 for them, enforced or not.
   */
  signed?: 'only' | 'or_refused';
  /**
   * Set where it brings the secret of all later requests, so that a source may have none before.
   * `header`: the header with the secret, in lower case, which hookrelay masks in every stored
   * request of the source; null for a secret in the body, which a person must see.
   */
  bringsSecret?: { header: string | null };
  /** Whether the answer depends on the URL that is registered at the provider. */
  hashesUrl?: boolean;
  /**
   * The reply that the provider wants; null for a request without what the reply needs. Call it
   * after `matches` only. A reply that a secret computes must be useless as a signature.
   *
   * @param secret the one that fits, otherwise the source's first; null without one
   */
  answer(
    request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
    secret: string | null,
  ): HandshakeReply | null;
  /** A sentence that explains the request, unless the provider's describer does. */
  purpose?: string;
}

/** An answer, and what must be done first. */
export interface HandshakeReply {
  answer: HandshakeAnswer;
  effect?: HandshakeEffect;
}

export type HandshakeRequest = Pick<SignedRequest, 'method' | 'query' | 'rawHeaders' | 'body'>;
