import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';
import { stampedBody } from '../signing/stamped-body.ts';

/** The body repeats the passcode. */
export const figmaStamp: Stamp = {
  place: 'passcode of the body',
  testSecret: TEST_SECRET,
  prove: ({ body }, passcode) => ({
    headers: [],
    body: stampedBody(body, figmaStamp.place, (object) => ({ ...object, passcode })),
  }),
};
