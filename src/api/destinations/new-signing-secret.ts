import { randomBytes } from 'node:crypto';

/** Size of a secret that the server generates (Standard Webhooks: 24 to 64 bytes). */
const BYTES = 32;

export const newSigningSecret = () => `whsec_${randomBytes(BYTES).toString('base64')}`;
