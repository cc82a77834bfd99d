import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('expo-signature', 'hex', 'sha1=', 'sha1')] satisfies Vector[];
