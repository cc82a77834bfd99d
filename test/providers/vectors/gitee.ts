import { hmac, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

const HEADER = 'X-Gitee-Token';

export default [
  {
    ...TEXTS,
    header: HEADER,
    grade: 'authenticated',
    isVerifiedOnly: true,
    headers: [['X-Gitee-Event', 'Push Hook']],
    body: '{"hook_name":"push_hooks"}',
    sign: (_request, secret) => ({ headers: [[HEADER, secret]] }),
  },
  {
    ...TEXTS,
    name: 'a signing key',
    header: HEADER,
    grade: 'authenticated',
    isVerifiedOnly: true,
    body: '{"hook_name":"push_hooks"}',
    sign: ({ at }, secret) => ({
      headers: [
        ['X-Gitee-Timestamp', String(at)],
        [HEADER, hmac('sha256', secret, 'base64', `${at}\n${secret}`)],
      ],
    }),
  },
] satisfies Vector[];
