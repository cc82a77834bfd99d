import { createSecretKey, type KeyObject } from 'node:crypto';
import { keyOf } from './secret-key.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** Keys that are kept for each scheme. The oldest goes first, and is made again when it is used. */
const MOST_KEYS = 200;

const keysOf = new WeakMap<SignatureScheme, Map<string, KeyObject>>();

/**
 * The key that verifies a scheme's signatures; null for a secret that has another form.
 * Each is made once: making a public key takes as long as a capture.
 */
export function verifyingKey(scheme: SignatureScheme, secret: string): KeyObject | null {
  const known = keysOf.get(scheme) ?? new Map<string, KeyObject>();
  if (known.size === 0) keysOf.set(scheme, known);
  const ready = known.get(secret);
  if (ready) return ready;
  const key = keyOf(scheme, secret);
  if (key === null) return null;
  const made = Buffer.isBuffer(key) ? createSecretKey(key) : key;
  const [oldest] = known.keys();
  if (known.size >= MOST_KEYS && oldest !== undefined) known.delete(oldest);
  known.set(secret, made);
  return made;
}
