import { expect, onTestFinished, test } from 'vitest';
import { type Detail, detailText } from '../../../src/api/events/detail-view.ts';
import { RequestViews } from '../../../src/api/events/request-views.ts';
import { JsonText } from '../../../src/api/route.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';

const signal = new AbortController().signal;
/** JSON of a line each, which is a text as a whole. */
const LINES = '{"text":"a line of \\"many\\""}\n'.repeat(400_000);

function detailOf(body: string): Detail & { kind: 'event' } {
  return {
    kind: 'event',
    event: {
      ...{ id: 'evt_1', status: 'received', method: 'POST', receivedAt: 0, provider: null },
      ...{ verification: NOT_CHECKED, eventType: null },
    } as EventSummary,
    content: { query: 'a=1', rawHeaders: ['A', 'b'], body: Buffer.from(body) },
    deliveries: [],
    source: null,
  };
}

function viewing() {
  const cpu = new CpuUse(() => performance.now());
  const views = new RequestViews(cpu);
  onTestFinished(() => views.close());
  const show = async (account: string, body: string, isHead = false): Promise<unknown> => {
    const viewed = { account, size: Buffer.byteLength(body), isHead, signal };
    const view = await views.show(viewed, async () => detailOf(body));
    return view instanceof JsonText ? JSON.parse(view.text.toString('utf8')) : view;
  };
  return { cpu, views, show };
}

const shownHere = (body: string) => JSON.parse(detailText(detailOf(body)).toString('utf8'));

test.each([
  ['JSON', JSON.stringify({ text: 'x'.repeat(100_000) })],
  ['a text', 'x'.repeat(100_000)],
  ['a body nested 200,000 deep', '['.repeat(200_000) + ']'.repeat(200_000)],
])('a large body is viewed as a small one is: %s', async (_, body) => {
  const { show } = viewing();
  const depth = body.startsWith('[[');
  if (depth) expect(await show('a', body)).toHaveProperty('body_encoding', 'json');
  else expect(await show('a', body)).toEqual(shownHere(body));
  const { body: __, body_encoding: ___, ...head } = shownHere(depth ? '[]' : body);
  expect(await show('a', body, true)).toEqual(head);
});

test('the view of a large body takes its CPU in another thread, and the account is charged', async () => {
  const { cpu, views } = viewing();
  const here = detailOf(LINES);
  const there = detailOf(LINES);
  const viewed = { account: 'a', size: LINES.length, signal };
  await views.show(viewed, async () => detailOf(LINES));
  const before = process.threadCpuUsage();
  await views.show(viewed, async () => there);
  const beside = process.threadCpuUsage(before);
  const start = process.threadCpuUsage();
  detailText(here);
  const alone = process.threadCpuUsage(start);
  expect(beside.user + beside.system).toBeLessThan((alone.user + alone.system) / 2);
  expect(cpu.of('a')).toBeGreaterThan(0);
});

test('a body is read at its account’s turn', async () => {
  const { views } = viewing();
  const read: string[] = [];
  const see = (account: string) =>
    views.show({ account, size: LINES.length, signal }, async () => {
      read.push(account);
      return detailOf(LINES);
    });
  const all = [see('a'), see('a'), see('a'), see('b')];
  expect(read).toEqual(['a']);
  await Promise.all(all);
  expect(read).toEqual(['a', 'b', 'a', 'a']);
});

test('an account may keep sixteen large views waiting', async () => {
  const { views } = viewing();
  const left = new AbortController();
  const viewed = { account: 'a', size: LINES.length, signal: left.signal };
  const all = Array.from({ length: 18 }, () => views.show(viewed, () => new Promise(() => {})));
  await expect(all.at(-1)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 2 });
  left.abort(new Error('gone'));
  await expect(all[1]).rejects.toThrow('gone');
  await Promise.allSettled(all.slice(1));
});
