import type { Signature } from './signing/signature.ts';

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
  /** The sender of an event, to begin a sentence with, where many services share this way of sending. */
  sender?: string;
  /** Its headers go around any service's body, so the body may say who sent an event. */
  isEnvelope?: boolean;
  /** Headers that only this provider sends. */
  marks?: readonly HeaderMark[];
  /** Layouts of bodies that only this provider sends. */
  shapes?: readonly BodyShape[];
  /** Where a body names the event, for requests whose headers don't. The first text counts. */
  typePaths?: readonly string[][];
  /** The header with the provider's id of this delivery, in lower case. */
  deliveryIdHeader?: string;
  signature?: Signature;
  handshake?: Handshake;
}

export interface HeaderMark {
  /** In lower case. */
  header: string;
  /** The header's value is the event's type. */
  isType?: boolean;
  /** A request may carry marks of several providers. The highest rank wins. */
  rank: number;
}

/** Own members of an object, an array or anything. `undefined` where there is none. */
export type Look = (...path: string[]) => unknown;

/**
 * The event's type if the body is the provider's: null for an event without a
 * type, undefined for a body of somebody else. A shape tests at least two
 * members that no other provider sends together.
 */
export type BodyShape = (look: Look) => unknown;

/** A request by which a provider checks a URL before it sends events. */
export interface Handshake {
  /** Cheap: runs on every captured request. */
  matches(request: HandshakeRequest): boolean;
  /** The text that the provider wants back; null where the request has none. Only after `matches`. */
  challenge(request: HandshakeRequest): string | null;
  /** A sentence that explains the request, where the provider's describer doesn't. */
  purpose?: string;
}

export interface HandshakeRequest {
  method: string;
  /** Raw, without the `?`. */
  query: string;
  body: Buffer;
}
