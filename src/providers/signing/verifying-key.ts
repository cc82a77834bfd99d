import type { KeyObject } from 'node:crypto';
import { HmacKey } from './hmac-key.ts';
import { keyOf } from './secret-key.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** The largest number of cached keys for each owner. The oldest key is dropped first. */
const MOST_KEYS = 200;

export type VerifyingKey = HmacKey | KeyObject;

const keysOf = new WeakMap<object, Map<string, VerifyingKey>>();

/**
 * Returns the key that verifies a scheme's signatures. Returns null if the secret has another form.
 */
export function verifyingKey(scheme: SignatureScheme, secret: string): VerifyingKey | null {
  return keptKey(scheme, secret, () => madeKey(scheme, secret));
}

/**
 * Returns the cached key of a secret, or makes and caches it. Making a public key takes as long as
 * a capture.
 */
export function keptKey<Key extends VerifyingKey>(
  owner: object,
  secret: string,
  make: () => Key | null,
): Key | null {
  const known = keysOf.get(owner) ?? new Map<string, VerifyingKey>();
  if (known.size === 0) keysOf.set(owner, known);
  const ready = known.get(secret);
  if (ready) return ready as Key;
  const made = make();
  if (made === null) return null;
  const [oldest] = known.keys();
  if (known.size >= MOST_KEYS && oldest !== undefined) known.delete(oldest);
  known.set(secret, made);
  return made;
}

function madeKey(scheme: SignatureScheme, secret: string): VerifyingKey | null {
  const key = keyOf(scheme, secret);
  if (!Buffer.isBuffer(key)) return key;
  const { algorithm } = scheme;
  return algorithm === 'ed25519' ? null : new HmacKey(algorithm, key);
}
