import type { HmacAlgorithm } from '../../providers/signing/hmac-key.ts';
import type { SignatureScheme, SignedPart } from '../../providers/signing/signature-scheme.ts';
import { standardScheme } from '../../providers/signing/standard-proof.ts';

/** A signature that the templates can verify: an HMAC of parts of the request. */
export interface HandlerScheme extends Pick<SignatureScheme, 'key' | 'encoding' | 'form' | 'time'> {
  hash: 'sha1' | 'sha256' | 'sha512';
  signed: readonly HandlerPart[];
}

/** A handler doesn't know the URL at which the sender signed. */
export type HandlerPart = Exclude<SignedPart, 'url' | 'method'>;

const HASHES: Record<HmacAlgorithm, HandlerScheme['hash']> = {
  'hmac-sha1': 'sha1',
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
};

const { header, key, encoding, form, signed, time } = standardScheme('webhook');

/** hookrelay's own signature (Standard Webhooks). */
export const STANDARD: { header: string; scheme: HandlerScheme } = {
  header,
  scheme: { hash: 'sha256', key, encoding, form, time, signed: signed.filter(isPart) },
};

/** Returns a provider's scheme as the templates need it, or null if they can't verify it. */
export function handlerScheme(scheme: SignatureScheme): HandlerScheme | null {
  const { algorithm, key, encoding, form, time } = scheme;
  if (algorithm === 'ed25519') return null;
  const signed = scheme.signed.filter(isPart);
  if (signed.length < scheme.signed.length) return null;
  return { hash: HASHES[algorithm], key, encoding, form, signed, time };
}

function isPart(part: SignedPart): part is HandlerPart {
  return part !== 'url' && part !== 'method';
}

/** Returns the text around one signature in a header without fields, such as `sha256=` or `v1,`. */
export function prefixOf({ form }: HandlerScheme): string {
  return 'prefix' in form ? form.prefix : 'tag' in form ? `${form.tag},` : '';
}

/** Returns the names of the fields in the signature's header; null for a header without fields. */
export function fieldsOf({ form, time }: HandlerScheme): {
  separator: string;
  signature: string;
  /** Null if the time isn't in this header. */
  time: string | null;
} | null {
  if (!('field' in form)) return null;
  return {
    separator: form.separator,
    signature: form.field,
    time: time && 'field' in time.place ? time.place.field : null,
  };
}

/** Returns the header of the time, in lower case; null if there is none. */
export function timeHeaderOf({ time }: HandlerScheme): string | null {
  return time && 'header' in time.place ? time.place.header.toLowerCase() : null;
}
