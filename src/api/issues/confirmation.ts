import { createHash, randomBytes } from 'node:crypto';
import type { Confirmation } from './channel-messages.ts';

const TOKEN_BYTES = 32;
/** How long the link of a confirmation works, ms. */
export const CONFIRMATION_MS = 86_400_000;

/** A new confirmation. Only the message holds the token, only its hash is stored. */
export function newConfirmation(): Confirmation {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: confirmationHash(token) };
}

export function confirmationHash(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
