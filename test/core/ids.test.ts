import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { timeOfId } from '../../src/core/text/id-time.ts';

const NOW = Date.UTC(2026, 7, 1, 12, 34, 56, 789);
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of an id, read back the slow way. */
function bits(id: string): bigint {
  const digits = id.slice(id.indexOf('_') + 1);
  return [...digits].reduce((value, digit) => value * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n);
}

test('an id is a prefix and 26 digits of at most 128 bits', () => {
  for (let i = 0; i < 1000; i++) {
    const id = newId('evt', NOW + i);
    expect(id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(bits(id) < 1n << 128n).toBe(true);
  }
});

test('the bits are a UUIDv7: time, version 7, variant 10', () => {
  for (const time of [0, 1, NOW, 2 ** 48 - 1]) {
    const id = newId('dlv', time);
    const value = bits(id);
    expect(timeOfId(id)).toBe(time);
    expect(value >> 80n).toBe(BigInt(time));
    expect((value >> 76n) & 0xfn).toBe(7n);
    expect((value >> 62n) & 0b11n).toBe(0b10n);
  }
});

test('a known id decodes by the TypeID specification', () => {
  // 01890a5d-ac96-774b-bcce-b302099a8057 (github.com/jetify-com/typeid, spec/valid.yml).
  expect(bits('prefix_01h455vb4pex5vsknk084sn02q')).toBe(0x01890a5dac96774bbcceb302099a8057n);
});

test('ids sort by their millisecond', () => {
  const times = [0, 1, 255, 256, 2 ** 32, NOW, NOW + 1, NOW + 1000, 2 ** 48 - 1];
  const ids = times.map((time) => newId('evt', time));
  expect(ids.toSorted()).toEqual(ids);
});

test('fractions and times before 1970 give valid ids', () => {
  expect(bits(newId('evt', NOW + 0.9)) >> 80n).toBe(BigInt(NOW));
  expect(bits(newId('evt', -5)) >> 80n).toBe(0n);
});

test('ids of one millisecond differ, in every random bit', () => {
  // More ids than the pool of random bytes holds, so that it refills.
  const values = Array.from({ length: 2000 }, () => bits(newId('evt', NOW)));
  expect(new Set(values).size).toBe(values.length);
  const ever = values.reduce((seen, value) => seen | value, 0n);
  const always = values.reduce((seen, value) => seen & value);
  const random = (((1n << 12n) - 1n) << 64n) | ((1n << 62n) - 1n);
  expect((ever ^ always) & random).toBe(random);
});
