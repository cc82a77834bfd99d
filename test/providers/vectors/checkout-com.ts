import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('Cko-Signature', 'hex')] satisfies Vector[];
