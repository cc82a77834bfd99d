import { createHmac, randomBytes } from 'node:crypto';
import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';
import { stampedBody } from '../signing/stamped-body.ts';

const TOKEN_BYTES = 25;

/** The body's `signature` signs the time and the token beside it. */
export const mailgunStamp: Stamp = {
  place: 'signature of the body',
  testSecret: TEST_SECRET,
  prove({ body, timestampS }, secret) {
    const timestamp = String(timestampS);
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const signature = createHmac('sha256', secret)
      .update(timestamp + token)
      .digest('hex');
    const proof = { timestamp, token, signature };
    return {
      headers: [],
      body: stampedBody(body, this.place, (object) => ({ ...object, signature: proof })),
    };
  },
};
