import { BODY, standardVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  { ...standardVector('webhook'), name: 'a signing token' },
  {
    name: 'a secret token',
    secret: 'glsoat-3c1f0c7a',
    otherSecret: 'glsoat-0a8be21d',
    header: 'X-Gitlab-Token',
    body: BODY,
    grade: 'authenticated',
    sign: (_request, secret) => ({ headers: [['X-Gitlab-Token', secret]] }),
  },
] satisfies Vector[];
