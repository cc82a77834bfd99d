import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-Signature', 'hex')] satisfies Vector[];
