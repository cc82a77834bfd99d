import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { KeyRing } from '../../../src/capture/judging/key-ring.ts';
import type { KeyRequest } from '../../../src/providers/fetched-keys/fetched-key.ts';
import { certificateOf } from '../../fixtures/certificate.ts';
import { silentLog } from '../../fixtures/silent-log.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dates = { validFrom: Date.parse('2020-01-01'), validTo: Date.parse('2040-01-01') };
const PEM = certificateOf({ commonName: 'sns.amazonaws.com', key: privateKey, ...dates });

const at = (name: string): KeyRequest => ({
  kind: 'certificate',
  url: `https://keys.example/${name}`,
});

/** An endpoint of an account. */
const by = (publicToken: string, userId = publicToken) => ({ publicToken, userId });

/** A ring whose fetches the test answers. */
function ringOf(answer: (url: string) => string | Promise<string> = () => PEM) {
  let now = 0;
  const asked: string[] = [];
  const ring = new KeyRing({
    async get(url) {
      asked.push(url);
      return answer(url);
    },
    log: silentLog,
    monotonic: () => now,
  });
  return {
    ring,
    asked,
    later(ms: number) {
      now += ms;
    },
  };
}

function offline(): never {
  throw new Error('no network');
}

describe('a key', () => {
  test('is fetched once, and is here then', async () => {
    const { ring, asked } = ringOf();
    const key = { url: at('a').url, text: PEM };
    expect(ring.known(at('a'))).toBeUndefined();
    const [first, second] = [ring.fetch(at('a'), by('one')), ring.fetch(at('a'), by('two'))];
    expect([await first, await second]).toEqual([key, key]);
    expect(ring.known(at('a'))).toEqual(key);
    expect(asked).toEqual([at('a').url]);
  });

  test('has a hundred requests wait for it, and no more', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { ring } = ringOf(() => promise);
    const fetched = Array.from({ length: 101 }, () => ring.fetch(at('a'), by('one')));
    expect(await fetched[100]).toBeNull();
    resolve(PEM);
    expect((await Promise.all(fetched)).filter((key) => key?.text === PEM)).toHaveLength(100);
    expect(ring.known(at('a'))?.text).toBe(PEM);
  });

  test('is fetched again after a day', async () => {
    const { ring, later } = ringOf();
    await ring.fetch(at('a'), by('one'));
    later(DAY_MS - 1);
    expect(ring.known(at('a'))).not.toBeUndefined();
    later(1);
    expect(ring.known(at('a'))).toBeUndefined();
  });

  test('is the first certificate of a chain, without what stands around it', async () => {
    const { ring } = ringOf(() => `${PEM}\n${PEM}`);
    expect(await ring.fetch(at('a'), by('one'))).toEqual({ url: at('a').url, text: PEM });
  });
});

describe('a URL without a key', () => {
  test.each([
    ['fails', offline],
    ['has something else', () => '<html>'],
    ['has nothing', () => ''],
  ])('that %s is not asked again for 30 s', async (_, answer) => {
    const { ring, asked, later } = ringOf(answer);
    expect(await ring.fetch(at('a'), by('one'))).toBeNull();
    expect(ring.known(at('a'))).toBeNull();
    later(29_999);
    expect(ring.known(at('a'))).toBeNull();
    later(1);
    expect(ring.known(at('a'))).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test('drives out no key', async () => {
    const { ring } = ringOf((url) => (url === at('good').url ? PEM : offline()));
    await ring.fetch(at('good'), by('good'));
    for (let i = 0; i < 3000; i++) await ring.fetch(at(`bad-${i}`), by(`forger-${i}`));
    expect(ring.known(at('good'))?.text).toBe(PEM);
    // The oldest failures are forgotten.
    expect(ring.known(at('bad-0'))).toBeUndefined();
    expect(ring.known(at('bad-2999'))).toBeNull();
  });
});

describe('bounds', () => {
  test('an endpoint causes ten fetches a minute, and others go on', async () => {
    const { ring, asked, later } = ringOf();
    for (let i = 0; i < 20; i++) await ring.fetch(at(`a-${i}`), by('one'));
    expect(asked).toHaveLength(10);
    // It isn't held against the URL.
    expect(ring.known(at('a-19'))).toBeUndefined();
    expect(await ring.fetch(at('a-19'), by('two'))).not.toBeNull();
    expect(await ring.fetch(at('b'), by('one'))).toBeNull();
    later(MINUTE_MS);
    expect(await ring.fetch(at('b'), by('one'))).not.toBeNull();
  });

  test('a key that was here is fetched again beyond them', async () => {
    const { ring, asked, later } = ringOf();
    await ring.fetch(at('good'), by('one'));
    later(DAY_MS);
    for (let i = 0; i < 20; i++) await ring.fetch(at(`forged-${i}`), by('one'));
    expect(ring.known(at('good'))).toBeUndefined();
    expect(await ring.fetch(at('good'), by('one'))).not.toBeNull();
    expect(ring.known(at('good'))?.text).toBe(PEM);
    expect(asked).toHaveLength(1 + 10 + 1);
  });

  test('an account with many endpoints leaves others their turns', async () => {
    const { ring, asked } = ringOf(() => new Promise(() => {}));
    for (let i = 0; i < 20; i++) void ring.fetch(at(`many-${i}`), by(`endpoint-${i}`, 'many'));
    void ring.fetch(at('other'), by('other'));
    await Promise.resolve();
    expect(asked.map((url) => url.slice(url.lastIndexOf('/') + 1))).toEqual([
      ...['many-0', 'many-1', 'other'],
    ]);
  });

  test('eight fetches are under way, two of one account', async () => {
    const open: (() => void)[] = [];
    const { ring, asked } = ringOf(() => new Promise((resolve) => open.push(() => resolve(PEM))));
    const fetches = ['one', 'two', 'three', 'four', 'five'].flatMap((endpoint) =>
      [0, 1, 2].map((i) => ring.fetch(at(`${endpoint}-${i}`), by(endpoint))),
    );
    await Promise.resolve();
    expect(asked).toHaveLength(8);
    const done = Promise.all(fetches);
    let isDone = false;
    done.then(() => {
      isDone = true;
    });
    while (!isDone) {
      open.shift()?.();
      await new Promise(setImmediate);
    }
    expect(asked).toHaveLength(15);
  });
});
