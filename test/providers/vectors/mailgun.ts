import { hmac, seconds, TEXTS } from '../documented.ts';
import type { Signed, Vector } from '../vector.ts';

const TOKEN = 'e0b5477167110d68991efc6b9f89f0a11066af27834600e123';

const withBody = (body: string): Signed => ({ headers: [], body: Buffer.from(body) });

const OF_JSON: Vector = {
  ...TEXTS,
  header: null,
  isVerifiedOnly: true,
  headers: [['Content-Type', 'application/json']],
  body: '',
  grade: 'authenticated',
  sign: ({ at }, secret) => {
    const timestamp = seconds(at);
    const signature = hmac('sha256', secret, 'hex', timestamp, TOKEN);
    return withBody(
      JSON.stringify({
        signature: { token: TOKEN, timestamp, signature },
        'event-data': { event: 'opened', id: 'Ase7i2zsRYeDXztHGENqRA', timestamp: 1_521_243_339 },
      }),
    );
  },
  unsigned: () => withBody('{"signature":{},"event-data":{"event":"opened"}}'),
};

export default [
  OF_JSON,
  {
    ...OF_JSON,
    name: 'a subaccount',
    sign: ({ at }, secret) => {
      const timestamp = seconds(at);
      const signature = '0'.repeat(64);
      const parent = hmac('sha256', secret, 'hex', timestamp, TOKEN);
      return withBody(
        JSON.stringify({
          signature: { token: TOKEN, timestamp, signature, 'parent-signature': parent },
        }),
      );
    },
  },
  {
    ...OF_JSON,
    name: 'a form',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    sign: ({ at }, secret) => {
      const timestamp = seconds(at);
      const signature = hmac('sha256', secret, 'hex', timestamp, TOKEN);
      return withBody(
        String(new URLSearchParams({ event: 'opened', token: TOKEN, timestamp, signature })),
      );
    },
    unsigned: () => withBody('event=opened'),
  },
] satisfies Vector[];
