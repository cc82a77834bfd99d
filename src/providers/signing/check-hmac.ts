import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacAlgorithm } from './hmac-key.ts';
import type { SecretOutcome } from './secret-outcome.ts';
import type { SignatureEncoding } from './signature-scheme.ts';
import { decodedSignature } from './verify-scheme.ts';

/** The algorithm of an HMAC, and the encoding of its text. */
export interface HmacForm {
  algorithm: HmacAlgorithm;
  encoding: SignatureEncoding;
}

export const SHA256_HEX: HmacForm = { algorithm: 'hmac-sha256', encoding: 'hex' };
export const SHA256_BASE64: HmacForm = { algorithm: 'hmac-sha256', encoding: 'base64' };

/**
 * Checks whether one of the sent texts is the HMAC of the parts, for signatures without a scheme.
 */
export function checkHmac(
  form: HmacForm,
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  sent: readonly string[],
): SecretOutcome {
  const signatures = sent.flatMap((text) => decodedSignature(form, text) ?? []);
  if (signatures.length === 0) return 'signature_malformed';
  const expected = hmacOf(form, key, parts);
  const fits = signatures.some((signature) => timingSafeEqual(signature, expected));
  return fits ? null : 'signature_mismatch';
}

/** Returns the HMAC of the concatenated parts, as text. */
export function hmacText(
  form: HmacForm,
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
): string {
  return hmacOf(form, key, parts).toString(form.encoding);
}

function hmacOf(
  { algorithm }: HmacForm,
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
): Buffer {
  const hmac = createHmac(algorithm.slice('hmac-'.length), key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
