import { bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [bodyVector('Heroku-Webhook-Hmac-SHA256', 'base64')] satisfies Vector[];
