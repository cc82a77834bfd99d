import { HookrelayError } from '../../core/errors.ts';
import { hmacText, SHA256_BASE64 } from '../signing/check-hmac.ts';
import { isObject, objectsIn } from '../signing/json-body.ts';
import { keyOf } from '../signing/secret-key.ts';
import type { Stamp } from '../signing/stamp.ts';
import { stampedBody } from '../signing/stamped-body.ts';
import { KEY, signedText } from './verify.ts';

export const adyenStamp: Stamp = {
  place: 'additionalData.hmacSignature of each item',
  // "hookrelay-test-secret-of-32-byte" in hexadecimal.
  testSecret: '686f6f6b72656c61792d746573742d7365637265742d6f662d33322d62797465',
  prove({ body }, secret) {
    const key = keyOf(KEY, secret);
    if (!Buffer.isBuffer(key)) {
      throw new HookrelayError('config_invalid', 'the secret must be hexadecimal digits');
    }
    const stamped = stampedBody(body, this.place, (object) => {
      const items = objectsIn(object.notificationItems);
      if (items.length === 0) {
        throw new HookrelayError('config_invalid', 'the body has no notificationItems to sign');
      }
      return { ...object, notificationItems: items.map((item) => stampedItem(item, key)) };
    });
    return { headers: [], body: stamped };
  },
};

function stampedItem(item: Record<string, unknown>, key: Buffer) {
  const request = isObject(item.NotificationRequestItem) ? item.NotificationRequestItem : {};
  const data = isObject(request.additionalData) ? request.additionalData : {};
  const hmacSignature = hmacText(SHA256_BASE64, key, [signedText(item)]);
  const additionalData = { ...data, hmacSignature };
  return { ...item, NotificationRequestItem: { ...request, additionalData } };
}
