import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-Request-Signature-SHA-256', 'hex')] satisfies Vector[];
