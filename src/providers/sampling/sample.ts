import type { HeaderPair } from '../../core/model.ts';
import type { SignedAs } from '../signing/signature.ts';
import type { Fresh } from './fresh.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * How a provider formats its payload. A receiver must verify the raw bytes. The provider's format
 * exposes a receiver that parses the body and verifies its own serialisation.
 * - `json`: on one line
 * - `json-indented`: two spaces a level
 * - `json-lines`: an array, with CR LF after each comma between events and at the end
 * - `form`: `application/x-www-form-urlencoded`; the payload is flat and has only text
 */
export type BodyFormat = 'json' | 'json-indented' | 'json-lines' | 'form';

/** One event as a provider would send it, without the signature. */
export interface SampleContent {
  payload: Json;
  /** Headers in the order of sending, without host, length and signature. */
  headers: HeaderPair[];
  /** The id of this delivery, which some signatures cover. */
  deliveryId: string;
}

/** One kind of event of one provider. */
export interface Sample {
  /** `<provider>.<event>`, in characters that no shell interprets. */
  name: string;
  provider: string;
  signature: SignedAs;
  description: string;
  format: BodyFormat;
  /** The URL of the provider's documentation of the event. */
  source: string;
  build(fresh: Fresh): SampleContent;
}
