import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('aftership-hmac-sha256', 'base64')] satisfies Vector[];
