import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECK_DEADLINE_MS, checkSource } from '../../../src/api/sources/check-source.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import type { EventContent } from '../../../src/store/contract/events.ts';

/* The limits of a check over history. */

const SECRET = 'the secret';
const SETTINGS = { provider: 'github', enforce: false, url: null, in: null, scheme: null };
const MiB = 1024 * 1024;

interface Case {
  settings?: typeof SETTINGS;
  /** Sizes of the bodies, bytes, newest first. */
  sizes: number[];
  secrets?: string[];
  /** What each event takes, ms. */
  takesMs?: number;
}

/** Checks events that are signed as GitHub signs. */
async function checked({ settings = SETTINGS, sizes, secrets = [SECRET], takesMs = 0 }: Case) {
  let now = 0;
  const all = sizes.map((size, i) => {
    const body = Buffer.alloc(size, 'x');
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const rawHeaders = ['x-hub-signature-256', `sha256=${signature}`];
    const event = { seq: sizes.length - i, method: 'POST', receivedAt: 0, editedFrom: null };
    return {
      event: event as EventSummary,
      content: { query: '', rawHeaders, body } as EventContent,
    };
  });
  const result = await checkSource(1, { settings, secrets }, 1000, new AbortController().signal, {
    monotonic: () => now,
    keyOf: async () => null,
    urlsOf() {
      now += takesMs;
      return ['https://a.example/', 'https://b.example/', 'https://c.example/'];
    },
    otherUrlsOf: () => [],
    events: {
      async newest(_key, before, { most }) {
        return all.filter(({ event }) => before === null || event.seq < before).slice(0, most);
      },
    },
  });
  return result;
}

test('ends after its time, and says so', async () => {
  const takesMs = CHECK_DEADLINE_MS / 4;
  expect(await checked({ sizes: Array(10).fill(10), takesMs })).toMatchObject({
    ...{ checked: 4, verified: 4, ended_early: true },
  });
  expect(await checked({ sizes: Array(3).fill(10), takesMs })).toMatchObject({
    ...{ checked: 3, verified: 3, ended_early: false },
  });
});

test('ends after its bytes, and says so', async () => {
  const sizes = Array(150).fill(2 * MiB);
  expect(await checked({ sizes })).toMatchObject({ checked: 0, skipped: 128, ended_early: true });
});

test('skips what many secrets and URLs would have hashed for long', async () => {
  const ten = Array.from({ length: 10 }, (_, i) => `secret ${i}`)
    .concat(SECRET)
    .slice(1);
  const sizes = [MiB, MiB / 4];
  expect(await checked({ sizes, secrets: ten })).toMatchObject({ checked: 2, verified: 2 });
  const covering = { ...SETTINGS, provider: 'hubspot' };
  const tried = await checked({ settings: covering, sizes, secrets: ten });
  expect(tried).toMatchObject({ checked: 1, skipped: 1, failed: { signature_missing: 1 } });
});

test('skips unsigned checks of the URL, which an enforced source answers', async () => {
  const challenge = 'hub.mode=subscribe&hub.challenge=7';
  const counts = { checked: 0, skipped: 1, failed: {} };
  expect(await checkedGet('meta', challenge)).toMatchObject(counts);
  expect(await checkedGet('x', 'crc_token=abc')).toMatchObject(counts);
  expect(await checkedOne('asana', { rawHeaders: ['X-Hook-Secret', '********'] })).toMatchObject(
    counts,
  );
  const failed = { checked: 1, skipped: 0, failed: { signature_missing: 1 } };
  expect(await checkedGet('meta', 'hub.mode=subscribe')).toMatchObject(failed);
  expect(await checkedGet('github', challenge)).toMatchObject(failed);
});

const checkedGet = (provider: string, query: string) =>
  checkedOne(provider, { method: 'GET', query });

/** Checks one event without a signature. */
function checkedOne(
  provider: string,
  { method = 'POST', query = '', rawHeaders = [] as string[] },
) {
  const event = { seq: 1, method, receivedAt: 0, editedFrom: null } as EventSummary;
  const content = { query, rawHeaders, body: Buffer.alloc(0) } as EventContent;
  const source = { settings: { ...SETTINGS, provider }, secrets: [SECRET] };
  return checkSource(1, source, 1000, new AbortController().signal, {
    monotonic: () => 0,
    keyOf: async () => null,
    urlsOf: () => [],
    otherUrlsOf: () => [],
    events: { newest: async (_key, before) => (before === null ? [{ event, content }] : []) },
  });
}
