import { createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Keys } from '../../../src/core/secrets/keys.ts';

const SECRET = Buffer.from('a secret of at least thirty-two bytes');
const OWNER = 'dst_01h455vb4pex5vsknk084sn02q';
/** `kept for years`, sealed by hookrelay 0.1. */
const SEALED_BY_0_1 = 'AQu/18nVh46aFIvtGv8zeQHCIJnJR4ak93m2QrKoDNO6r7o/ONhd/GYxwQ==';

describe('a sealed secret', () => {
  const keys = new Keys(SECRET);

  test.each(['', 'x', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'é\0😀\ufffd', 'x'.repeat(10_000)])(
    'opens to its text: %j',
    (plaintext) => {
      const sealed = keys.seal(plaintext, OWNER);
      expect(keys.open(sealed, OWNER)).toBe(plaintext);
      expect(new Keys(SECRET).open(new Uint8Array(sealed), OWNER)).toBe(plaintext);
      // Version, nonce and tag, and nothing of the text.
      expect(sealed).toHaveLength(1 + 12 + Buffer.byteLength(plaintext) + 16);
      if (plaintext.length > 1) expect(Buffer.from(sealed).includes(plaintext)).toBe(false);
    },
  );

  test('opens as a part of a larger buffer', () => {
    const sealed = keys.seal('secret', OWNER);
    const larger = Buffer.concat([Buffer.alloc(7, 1), sealed, Buffer.alloc(7, 1)]);
    expect(keys.open(larger.subarray(7, -7), OWNER)).toBe('secret');
  });

  test('never looks the same twice', () => {
    const seen = Array.from({ length: 50 }, () =>
      Buffer.from(keys.seal('secret', OWNER)).toString('hex'),
    );
    expect(new Set(seen).size).toBe(50);
    expect(new Set(seen.map((sealed) => sealed.slice(2, 26))).size).toBe(50);
  });

  test('does not open with another key', () => {
    const sealed = keys.seal('secret', OWNER);
    expect(new Keys(Buffer.from(`${SECRET}!`)).open(sealed, OWNER)).toBeNull();
    expect(new Keys(Buffer.alloc(32)).open(sealed, OWNER)).toBeNull();
  });

  test('does not open for another row', () => {
    const sealed = keys.seal('secret', OWNER);
    for (const owner of ['', 'dst_01h455vb4pex5vsknk084sn02r', OWNER.slice(0, -1), `${OWNER}x`]) {
      expect(keys.open(sealed, owner)).toBeNull();
    }
  });

  test('does not open with a bit changed, at any place', () => {
    const sealed = Buffer.from(keys.seal('secret', OWNER));
    for (let at = 0; at < sealed.length; at++) {
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] as number) ^ bit;
        expect(keys.open(changed, OWNER), `byte ${at}`).toBeNull();
      }
    }
  });

  test('does not open with bytes cut off or added', () => {
    const sealed = Buffer.from(keys.seal('secret', OWNER));
    for (let length = 0; length < sealed.length; length++) {
      expect(keys.open(sealed.subarray(0, length), OWNER)).toBeNull();
      if (length > 0) expect(keys.open(sealed.subarray(length), OWNER)).toBeNull();
    }
    expect(keys.open(Buffer.concat([sealed, Buffer.of(0)]), OWNER)).toBeNull();
    expect(keys.open(new Uint8Array(0), OWNER)).toBeNull();
  });
});

describe('the derived keys', () => {
  const derived = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', SECRET, '', `hookrelay/${purpose}`, 32));

  test('are HKDF-SHA256 of their purposes in every release', () => {
    const keys = new Keys(SECRET);
    expect(keys.accessTokens).toEqual(derived('access-tokens'));
    expect(keys.refreshTokens).toEqual(derived('refresh-tokens'));
    expect(keys.checkValue).toBe(
      createHmac('sha256', derived('check')).update('check').digest('hex'),
    );
  });

  test('open secrets that an older release sealed', () => {
    const sealed = Buffer.from(SEALED_BY_0_1, 'base64');
    expect(new Keys(SECRET).open(sealed, OWNER)).toBe('kept for years');
  });

  test('differ from each other and from another secret’s', () => {
    const all = [new Keys(SECRET), new Keys(Buffer.alloc(32, 1))].flatMap((keys) => [
      Buffer.from(keys.accessTokens).toString('hex'),
      Buffer.from(keys.refreshTokens).toString('hex'),
      keys.checkValue,
    ]);
    expect(new Set(all).size).toBe(6);
  });

  test('do not follow from the check value', () => {
    const { checkValue } = new Keys(SECRET);
    expect(checkValue).toMatch(/^[0-9a-f]{64}$/);
    expect(checkValue).not.toContain(SECRET.toString('hex').slice(0, 16));
  });
});
