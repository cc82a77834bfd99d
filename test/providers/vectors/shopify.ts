import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('X-Shopify-Hmac-Sha256', 'base64')] satisfies Vector[];
