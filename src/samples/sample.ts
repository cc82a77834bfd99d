import type { Fresh } from './fresh.ts';

export type ProviderName =
  | 'github'
  | 'stripe'
  | 'shopify'
  | 'slack'
  | 'gitlab'
  | 'twilio'
  | 'sendgrid'
  | 'standard';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type HeaderPair = readonly [name: string, value: string];

/**
 * How a provider writes its payload down. Receivers verify the raw bytes, so a
 * body that is laid out as the real one's finds the receiver that parses it and
 * prints it anew.
 *
 * - `json`: on one line
 * - `json-indented`: two spaces a level
 * - `json-lines`: an array, with CR LF after each comma between events and at the end
 * - `form`: `application/x-www-form-urlencoded`; the payload is flat and holds text only
 */
export type BodyFormat = 'json' | 'json-indented' | 'json-lines' | 'form';

/** One event as a provider would send it, but for the signature. */
export interface SampleContent {
  payload: Json;
  /** In the order of sending, without host, length and signature. */
  headers: HeaderPair[];
  /** The id of this delivery, which some signatures cover. */
  deliveryId: string;
}

/** One kind of event of one provider. */
export interface Sample {
  /** `<provider>.<event>`, in letters that no shell interprets. */
  name: string;
  provider: ProviderName;
  description: string;
  format: BodyFormat;
  /** The provider's own documentation of the event. */
  source: string;
  build(fresh: Fresh): SampleContent;
}
