import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('Dub-Signature', 'hex')] satisfies Vector[];
