import { HookrelayError } from '../../core/errors.ts';
import { objectsIn } from '../signing/json-body.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';
import { stampedBody } from '../signing/stamped-body.ts';

/** Each notification repeats the `clientState`. */
export const microsoftGraphStamp: Stamp = {
  place: 'clientState of each notification',
  testSecret: TEST_SECRET,
  prove({ body }, clientState) {
    const stamped = stampedBody(body, this.place, (object) => {
      const value = objectsIn(object.value);
      if (value.length === 0) {
        throw new HookrelayError('config_invalid', "the body's value has no notification");
      }
      return { ...object, value: value.map((one) => ({ ...one, clientState })) };
    });
    return { headers: [], body: stamped };
  },
};
