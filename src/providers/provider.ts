import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import type { Proof } from './signing/proof.ts';
import type { Signature } from './signing/signature.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * A sender of webhooks: how to recognise its requests, and how to verify them. The capture path
 * loads all providers at start, so the samples and the describers are in other files.
 */
export interface Provider {
  /** The id in events: lower case, words joined by dashes. A provider's folder has this name. */
  name: string;
  /** The provider's own spelling of its name: `GitHub`. */
  title: string;
  /**
   * The sender as it begins a sentence, for a protocol that many services use: `A CloudEvents
   * source`.
   */
  sender?: string;
  /**
   * True if the headers may come with any service's body. The body may then name another provider.
   */
  isEnvelope?: boolean;
  /** Headers that only this provider sends. */
  marks?: readonly HeaderMark[];
  /** Layouts of bodies that only this provider sends. */
  shapes?: readonly BodyShape[];
  /** Types that `shapes` return although the body doesn't contain them as text. */
  namedTypes?: readonly string[];
  /**
   * Paths at which a body may have the event type, for requests whose headers have no type. The
   * first path that leads to a text counts.
   */
  typePaths?: readonly string[][];
  /** The header that has the provider's id of a delivery, in lower case. */
  deliveryIdHeader?: string;
  signature?: Signature;
  /** How a receiver verifies its requests. */
  proof?: Proof;
  /**
   * Returns the smallest body that this provider's proof accepts, with an event type. A string is
   * sent as it is, and an object is sent as JSON. Not set if a body made from `typePaths` and
   * `once` is enough.
   */
  leastBody?(type: string): string | object;
  once?: OnceBy;
  /** The member of a body that tells test mode from live mode. Each mode has its own secrets. */
  mode?: { path: readonly string[]; live: unknown; test: unknown };
  handshakes?: readonly Handshake[];
}

/** The values that stay the same when a provider sends a delivery again. */
export interface OnceBy {
  /** Lists of paths (`core/rules`). The first list counts whose paths all exist in the request. */
  by: readonly (readonly string[])[];
  /** Paths of body members that differ between retries of one delivery. */
  varies?: readonly string[];
}

export interface HeaderMark {
  /** The header's name, in lower case. */
  header: string;
  /** True if the header's value is the event's type. */
  isType?: boolean;
  /** A request may have marks of several providers. The mark with the highest rank counts. */
  rank: number;
}

/** Returns the own member at a path of a value, or `undefined` if there is none. */
export type MemberReader = (...path: string[]) => unknown;

/**
 * Returns the event type if the body is this provider's: null if the event has no type, undefined
 * if the body isn't this provider's. Checks at least two members that only this provider sends
 * together.
 */
type BodyShape = (look: MemberReader) => unknown;

/** A request by which a provider checks a URL before it sends events. */
export interface Handshake {
  /**
   * Returns true if a request is this handshake. Must be cheap, because it runs on every captured
   * request.
   */
  matches(request: HandshakeRequest): boolean;
  /**
   * True if no other request looks like this handshake. hookrelay then answers it even on an
   * endpoint without a source.
   */
  withoutSource?: boolean;
  /**
   * Set if the provider signs this handshake. hookrelay then answers only a verified one.
   * `or_refused`: the provider also sends forged ones on purpose. hookrelay answers these with 401,
   * even if the source doesn't reject unverified requests.
   */
  signed?: 'only' | 'or_refused';
  /**
   * Set if this handshake brings the secret of all later requests. A source may then have no secret
   * until it comes. `header` is the header with the secret, in lower case. hookrelay masks this
   * header in every stored request of the source. `header` is null if the secret is in the body,
   * where a person must be able to read it.
   */
  bringsSecret?: { header: string | null };
  /** True if the answer depends on the URL that is registered at the provider. */
  hashesUrl?: boolean;
  /**
   * Returns the reply that the provider expects. Returns null if the request lacks something that
   * the reply needs. Call it only after `matches`. A reply that is computed with a secret must not
   * be usable as a signature.
   *
   * @param secret the secret that verified the request, or else the source's first; null if it has
   *   none
   */
  answer(
    request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
    secret: string | null,
  ): HandshakeReply | null;
  /** A sentence that explains the request. Not set if the provider's describer explains it. */
  purpose?: string;
}

/** The answer, and what hookrelay must do before it sends the answer. */
export interface HandshakeReply {
  answer: HandshakeAnswer;
  effect?: HandshakeEffect;
}

export type HandshakeRequest = Pick<SignedRequest, 'method' | 'query' | 'rawHeaders' | 'body'>;
