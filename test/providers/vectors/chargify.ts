import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-Chargify-Webhook-Signature-Hmac-Sha-256', 'hex')] satisfies Vector[];
