import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-FS-Signature', 'base64')] satisfies Vector[];
