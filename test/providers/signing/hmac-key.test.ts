import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HmacAlgorithm, HmacKey } from '../../../src/providers/signing/hmac-key.ts';

const ALGORITHMS: HmacAlgorithm[] = ['hmac-sha1', 'hmac-sha256', 'hmac-sha512'];

function hmacByNode(algorithm: HmacAlgorithm, key: Buffer, parts: (string | Buffer)[]): string {
  const hmac = createHmac(algorithm.slice('hmac-'.length), key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'binary' });

test.each(ALGORITHMS)('%s is what Node makes of any key and message', (algorithm) => {
  const parts = fc.array(fc.oneof(text, bytes(300)), { maxLength: 5 });
  fc.assert(
    fc.property(bytes(200), fc.array(parts, { minLength: 1, maxLength: 4 }), (key, messages) => {
      const ready = new HmacKey(algorithm, key);
      for (const message of messages) {
        expect(ready.digest(message)).toBe(hmacByNode(algorithm, key, message));
      }
    }),
  );
});

test.each(ALGORITHMS)('%s takes keys around the size of a block', (algorithm) => {
  for (const size of [0, 1, 63, 64, 65, 127, 128, 129, 1000]) {
    const key = Buffer.alloc(size, 0xa5);
    expect(new HmacKey(algorithm, key).digest(['text'])).toBe(hmacByNode(algorithm, key, ['text']));
  }
});

test('a message of any size follows a larger and a smaller one', () => {
  const key = Buffer.from('secret');
  const ready = new HmacKey('hmac-sha256', key);
  for (const size of [16_319, 16_320, 16_321, 100_000, 5, 16_320, 0, 1_000_000, 1]) {
    const parts = ['1700000000.', Buffer.alloc(size, 'ä')];
    expect(ready.digest(parts)).toBe(hmacByNode('hmac-sha256', key, parts));
  }
});
