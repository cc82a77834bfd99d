import { standardVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

const STANDARD = standardVector('webhook');
// Polar's library gives the base64 of the secret's text to the library of Standard Webhooks.
const encoded = (secret: string) => Buffer.from(secret).toString('base64');

export default [
  {
    ...STANDARD,
    secret: 'polar_whs_9aM2yGBQqHkoKYWRPWpvTfWQ',
    otherSecret: 'polar_whs_sVbkW9BXsQ7fDMSk4cUbGmQ1',
    sign: (request, secret) => STANDARD.sign(request, encoded(secret)),
    accepts: (request, secret) => STANDARD.accepts?.(request, encoded(secret)) ?? false,
  },
] satisfies Vector[];
