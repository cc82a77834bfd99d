import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-Hub-Signature', 'hex', 'sha256=')] satisfies Vector[];
