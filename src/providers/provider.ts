import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import type { Proof } from './signing/proof.ts';
import type { Signature } from './signing/signature.ts';
import type { VerifiableRequest } from './signing/verifiable-request.ts';

/**
 * A sender of webhooks: how to recognise its requests, and how it proves them.
 * Every capture needs this part, so it is small and loads at the start. The
 * samples and the describer of a provider are files of their own.
 */
export interface Provider {
  /** The id that events carry: lower case, words joined by dashes. The folder has this name. */
  name: string;
  /** The provider's own spelling of its name: `GitHub`. */
  title: string;
  /** The subject of a sentence about an event, for a protocol that many services share. */
  sender?: string;
  /** The headers go around any service's body, so the body may name the sender. */
  isEnvelope?: boolean;
  /** Headers that only this provider sends. */
  marks?: readonly HeaderMark[];
  /** Layouts of bodies that only this provider sends. */
  shapes?: readonly BodyShape[];
  /** Types that `shapes` give and that don't stand in the body. */
  namedTypes?: readonly string[];
  /** Paths of the event type in a body, for requests whose headers lack it. The first text counts. */
  typePaths?: readonly string[][];
  /** The header with the provider's id of this delivery, in lower case. */
  deliveryIdHeader?: string;
  signature?: Signature;
  /** How a receiver verifies its requests. */
  proof?: Proof;
  /**
   * The least body that a proof of this provider needs, with an event type. A text is sent as it
   * is, anything else as JSON. Absent where `typePaths` and `once` tell enough.
   */
  leastBody?(type: string): string | object;
  once?: OnceBy;
  /** The member of a body that tells events of test mode, which have secrets of their own. */
  mode?: { path: readonly string[]; live: unknown; test: unknown };
  handshakes?: readonly Handshake[];
}

/** What a provider repeats when it sends a delivery again. */
export interface OnceBy {
  /** Paths (`core/rules`) of which a request must have all. The first list that it has counts. */
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
export type ReadMember = (...path: string[]) => unknown;

/**
 * The event type of the provider's body: null for an event without a type,
 * undefined for another provider's body. A shape tests at least two members that
 * no other provider sends together.
 */
export type BodyShape = (look: ReadMember) => unknown;

/** A request by which a provider checks a URL before it sends events. */
export interface Handshake {
  /** Whether a request is this handshake. It must be cheap, because it runs on every captured request. */
  matches(request: HandshakeRequest): boolean;
  /** Whether it is answered for an endpoint without a source too: nothing else looks like it. */
  withoutSource?: boolean;
  /**
   * Set where the provider signs it: only a verified one is answered. `or_refused`: the
   * provider sends forgeries on purpose and wants 401 for them, enforced or not.
   */
  signed?: 'only' | 'or_refused';
  /**
   * Set where it brings the secret of all later requests, so that a source may have none before.
   * `header`: its place, in lower case, which is masked in every stored request of the source;
   * null for a secret in the body, which a person must see.
   */
  bringsSecret?: { header: string | null };
  /** Whether the answer depends on the URL as it is registered at the provider. */
  hashesUrl?: boolean;
  /**
   * What the provider wants; null for a request that lacks what must be answered. Call it only
   * after `matches`. An answer that the secret computes must be of no use as a signature.
   *
   * @param secret the one that fits, otherwise the source's first; null without one
   */
  answer(
    request: HandshakeRequest & Pick<VerifiableRequest, 'urls'>,
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

export type HandshakeRequest = Pick<VerifiableRequest, 'method' | 'query' | 'rawHeaders' | 'body'>;
