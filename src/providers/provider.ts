import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import type { Proof } from './signing/proof.ts';
import type { Signature } from './signing/signature.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * A sender of webhooks: how to recognise and verify its requests. The capture path loads all
 * providers at start, so the samples and the describers are in other files.
 */
export interface Provider {
  /** The id in events, in lower case with dashes. Also the name of the provider's folder. */
  name: string;
  /** The provider's own spelling of its name: `GitHub`. */
  title: string;
  /**
   * The sender as the start of a sentence, for a protocol of many services: `A CloudEvents source`.
   */
  sender?: string;
  /** True if any service may send these headers. The body may then identify another provider. */
  isEnvelope?: boolean;
  /** Headers that only this provider sends. */
  marks?: readonly HeaderMark[];
  /** Body layouts that only this provider sends. */
  shapes?: readonly BodyShape[];
  /** Types that `shapes` return although bodies don't contain them as text. */
  namedTypes?: readonly string[];
  /**
   * Paths where a body may have the event type, if the headers have none. The first path to a text
   * counts.
   */
  typePaths?: readonly string[][];
  /** The header with the provider's delivery id, in lower case. */
  deliveryIdHeader?: string;
  signature?: Signature;
  /** How a receiver verifies the provider's requests. */
  proof?: Proof;
  /**
   * Returns the smallest body of an event type that this provider's proof accepts. Strings are sent
   * unchanged, objects as JSON. Not set if `typePaths` and `once` are enough to make a body.
   */
  leastBody?(type: string): string | object;
  once?: OnceBy;
  /** The body member that distinguishes test mode from live mode. Each mode has its own secrets. */
  mode?: { path: readonly string[]; live: unknown; test: unknown };
  handshakes?: readonly Handshake[];
}

/** The values that are the same when a provider retries a delivery. */
export interface OnceBy {
  /** Lists of paths (`core/rules`). The first list counts whose paths all exist in the request. */
  by: readonly (readonly string[])[];
  /** Paths of body members that differ between retries of a delivery. */
  varies?: readonly string[];
}

export interface HeaderMark {
  /** The header's name, in lower case. */
  header: string;
  /** True if the header's value is the event's type. */
  isType?: boolean;
  /** If a request has marks of several providers, the highest rank counts. */
  rank: number;
}

/** Returns the own member at a path of a value, or `undefined` if there is none. */
export type MemberReader = (...path: string[]) => unknown;

/**
 * Returns the event type of this provider's body, or null if it has no type. Returns undefined if
 * the body isn't this provider's. Checks at least two members that only this provider sends
 * together.
 */
type BodyShape = (look: MemberReader) => unknown;

/** A request with which a provider checks a URL before it sends events. */
export interface Handshake {
  /** The method of the request. Not set if any method fits. */
  method?: string;
  /** The header, in lower case, that the request has. Not set if it has no header of its own. */
  header?: string;
  /**
   * Returns true if a request with this method and this header is the handshake. Not set if they are
   * enough. Must be cheap: if there is no header, it runs on every capture with this method.
   */
  matches?(request: HandshakeRequest): boolean;
  /**
   * True if no other request looks like this handshake. hookrelay then answers it on endpoints
   * without a source, too.
   */
  withoutSource?: boolean;
  /**
   * Set if the provider signs this handshake. hookrelay then answers only a verified one.
   * `or_refused`: the provider also sends forged handshakes on purpose. hookrelay answers these
   * with 401, even if the source doesn't reject unverified requests.
   */
  signed?: 'only' | 'or_refused';
  /**
   * Set if this handshake delivers the secret of all later requests. A source may have no secret
   * until then. `header` is the header with the secret, in lower case. hookrelay masks it in every
   * stored request of the source. `header` is null if the secret is in the body, where a person
   * must be able to read it.
   */
  bringsSecret?: { header: string | null };
  /** True if the answer depends on the URL that is registered at the provider. */
  hashesUrl?: boolean;
  /**
   * Returns the reply that the provider expects. Returns null if the request lacks something for
   * the reply. Call it only after `isHandshake`. A reply that uses a secret must not be usable as a
   * signature.
   *
   * @param secret the secret that verified the request, otherwise the source's first; null if it
   * has none
   */
  answer(
    request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
    secret: string | null,
  ): HandshakeReply | null;
  /** A sentence that explains the request. Not set if the provider's describer explains it. */
  purpose?: string;
}

export interface HandshakeReply {
  answer: HandshakeAnswer;
  effect?: HandshakeEffect;
}

export type HandshakeRequest = Pick<SignedRequest, 'method' | 'query' | 'rawHeaders' | 'body'>;
