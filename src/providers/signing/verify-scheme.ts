import { timingSafeEqual, verify } from 'node:crypto';
import { MOST_SIGNATURES } from '../public-keys.ts';
import { HmacKey } from './hmac-key.ts';
import { anyOf, type SecretOutcome } from './secret-outcome.ts';
import { type SentSignature, sentSignature } from './sent-signature.ts';
import type { SignatureScheme, SignedPart, SignedTime } from './signature-scheme.ts';
import { headerOf, headersOf, type SignedRequest } from './signed-request.ts';
import { type VerifyingKey, verifyingKey } from './verifying-key.ts';

const SIGNATURE_BYTES: Record<SignatureScheme['algorithm'], number> = {
  'hmac-sha1': 20,
  'hmac-sha256': 32,
  'hmac-sha512': 64,
  ed25519: 64,
};

/** A buffer for the expected signature. */
const EXPECTED = Buffer.alloc(64);
const ASCII = /^[\0-\x7f]*$/;

/** Numbers from this one on are milliseconds. In seconds, this number is the year 5138. */
const LEAST_MS = 1e11;

/**
 * Checks a request with one secret. The comparison takes constant time, to prevent timing attacks.
 */
export function verifyScheme(
  scheme: SignatureScheme,
  request: SignedRequest,
  secret: string,
): SecretOutcome {
  const sent = sentSignature(scheme, request);
  if (sent === null) return 'signature_missing';
  const signatures = sent.signatures.flatMap((text) => decodedSignature(scheme, text) ?? []);
  if (signatures.length === 0) return 'signature_malformed';
  const isByPublicKey = scheme.algorithm === 'ed25519';
  if (isByPublicKey && sent.signatures.length > MOST_SIGNATURES) return 'signature_malformed';
  if (scheme.time && timeOf(scheme.time, sent.time) === null) return 'signature_malformed';
  if (hasRepeated(scheme, request)) return 'signature_malformed';
  const key = verifyingKey(scheme, secret);
  if (key === null) return 'secret_unreadable';
  const urls = scheme.signed.includes('url') ? request.urls : [''];
  const fits = urls.some((url) => isSignedBy(key, scheme, request, sent, url, signatures));
  if (!fits) return 'signature_mismatch';
  return scheme.time ? withinWindow(scheme.time, sent.time, request.receivedAt) : null;
}

/** Checks a request that any of several schemes may have signed. */
export function verifyAnyScheme(
  schemes: readonly SignatureScheme[],
  request: SignedRequest,
  secret: string,
): SecretOutcome {
  return anyOf(schemes.map((scheme) => verifyScheme(scheme, request, secret)));
}

/**
 * Returns true if a signed header is repeated. hookrelay would verify the first value, but a
 * receiver may read another one.
 */
function hasRepeated({ signed }: SignatureScheme, request: SignedRequest): boolean {
  return signed.some(
    (part) =>
      typeof part === 'object' && 'header' in part && headersOf(request, part.header).length > 1,
  );
}

function isSignedBy(
  key: VerifyingKey,
  { signed }: SignatureScheme,
  request: SignedRequest,
  { time }: SentSignature,
  url: string,
  signatures: readonly Buffer[],
): boolean {
  const parts = signed.map((part) => partOf(part, request, time, url));
  if (!(key instanceof HmacKey)) {
    const bytes = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    );
    return signatures.some((signature) => {
      request.work?.signature(bytes.length);
      return verify(null, bytes, key, signature);
    });
  }
  const size = EXPECTED.write(key.digest(parts), 'hex');
  const expected = EXPECTED.subarray(0, size);
  const fits = signatures.some((signature) => timingSafeEqual(signature, expected));
  EXPECTED.fill(0);
  return fits;
}

/** Returns the bytes of a part, or a text whose UTF-8 encoding is these bytes. */
function partOf(
  part: SignedPart,
  request: SignedRequest,
  time: string | null,
  url: string,
): string | Buffer {
  if (part === 'body') return request.body;
  if (part === 'time') return sentText(time ?? '');
  if (part === 'url') return url;
  if (part === 'method') return request.method;
  if ('text' in part) return part.text;
  return sentText(headerOf(request, part.header) ?? '');
}

/**
 * Returns the bytes of a header's value, which Node decodes as Latin-1. Returns ASCII text
 * unchanged.
 */
function sentText(value: string): string | Buffer {
  return ASCII.test(value) ? value : Buffer.from(value, 'latin1');
}

/** Returns the bytes of a signature. Returns null if the text has another form. */
export function decodedSignature(
  { algorithm, encoding }: Pick<SignatureScheme, 'algorithm' | 'encoding'>,
  text: string,
): Buffer | null {
  const size = SIGNATURE_BYTES[algorithm];
  // Removing the padding takes quadratic time, so a sender's text must be short.
  if (text.length > 2 * size) return null;
  const bytes = Buffer.from(text, encoding);
  const isWhole =
    encoding === 'hex'
      ? bytes.length * 2 === text.length
      : bytes.toString(encoding).replace(/=+$/, '') === text.replace(/=+$/, '');
  return isWhole && bytes.length === size ? bytes : null;
}

/** Returns the signed time, Unix ms. Returns null if the text isn't a time. */
export function timeOf({ unit }: Pick<SignedTime, 'unit'>, text: string | null): number | null {
  if (text === null) return null;
  const isNumber = /^\d{1,15}$/.test(text);
  if (unit === 'iso' || (unit === 'any' && !isNumber)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  if (!isNumber) return null;
  const isSeconds = unit === 's' || (unit === 'any' && Number(text) < LEAST_MS);
  return Number(text) * (isSeconds ? 1000 : 1);
}

/** Checks that a signed time is close enough to the time of receipt. */
export function withinWindow(
  time: Omit<SignedTime, 'place'>,
  text: string | null,
  receivedAt: number,
): SecretOutcome {
  const at = timeOf(time, text);
  if (at === null) return 'signature_malformed';
  if (receivedAt - at > time.toleranceMs) return 'timestamp_too_old';
  return time.isTwoSided && at - receivedAt > time.toleranceMs ? 'timestamp_in_future' : null;
}
