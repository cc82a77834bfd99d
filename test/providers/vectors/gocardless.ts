import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('Webhook-Signature', 'hex')] satisfies Vector[];
