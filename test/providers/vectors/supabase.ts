import { standardVector, WHSEC } from '../documented.ts';
import type { Vector } from '../vector.ts';

const STANDARD = standardVector('webhook');
const bare = (secret: string) => secret.replace('v1,', '');

export default [
  STANDARD,
  {
    ...STANDARD,
    name: 'a secret as the dashboard shows it',
    secret: `v1,${WHSEC.secret}`,
    otherSecret: `v1,${WHSEC.otherSecret}`,
    sign: (request, secret) => STANDARD.sign(request, bare(secret)),
    accepts: (request, secret) => STANDARD.accepts?.(request, bare(secret)) ?? false,
  },
] satisfies Vector[];
