import { expect, test } from 'vitest';
import type { EventSummaryAnswer } from '../../src/api/events/event-answer.ts';
import type { EventDetail } from '../../src/dashboard/text/event-answer.ts';
import { ChosenEvents } from '../../src/dashboard/views/events/chosen-events.ts';
import { exportLine } from '../../src/dashboard/views/events/export-line.ts';
import { type Run, runEach } from '../../src/dashboard/views/events/run-each.ts';

const event = (n: number) => ({ id: `evt_${n}` }) as EventSummaryAnswer;

test('a span has the rows that are there, and the others are counted', () => {
  const rows = {
    row: (index: number) => (index === 3 ? undefined : event(index)),
    indexOf: (id: string) => Number(id.slice(4)),
  };
  const chosen = new ChosenEvents();
  chosen.toggle(event(5));
  expect(chosen.extendTo(event(2), rows)).toBe(1);
  expect([...chosen.byId.value.keys()].toSorted()).toEqual(['evt_2', 'evt_4', 'evt_5']);
  chosen.toggle(event(4));
  expect(chosen.has('evt_4')).toBe(false);
  chosen.clear();
  expect(chosen.byId.value.size).toBe(0);
});

test('at most four run at once, one that fails is told, and a stop begins no more', async () => {
  let running = 0;
  let most = 0;
  const seen: Run<number>[] = [];
  const run = await runEach(
    Array.from({ length: 20 }, (_, i) => i),
    async (i) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (i === 7) throw new Error('no');
    },
    new AbortController().signal,
    (state) => seen.push(state),
  );
  expect(most).toBe(4);
  expect(run).toMatchObject({ total: 20, done: 19, failed: [{ item: 7 }] });
  expect(seen.map(({ done, failed }) => done + failed.length).at(-1)).toBe(20);

  const stop = new AbortController();
  const begun: number[] = [];
  await runEach(
    [1, 2, 3, 4, 5, 6],
    async (i) => {
      begun.push(i);
      stop.abort();
    },
    stop.signal,
  );
  expect(begun.length).toBeLessThan(5);
});

test.each([
  ['{"a":\n 1.0}', 'text'],
  ['\ufeff{}', 'text'],
])('an exported body is exact: %j', (text, encoding) => {
  const bytes = new TextEncoder().encode(text);
  const line = exportLine({ id: 'evt_1', bytes, text } as EventDetail);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({ id: 'evt_1', body_encoding: encoding, body: text });
});

test('an exported body that is no text is in base64', () => {
  const bytes = Uint8Array.from([0xff, 0, 0x41]);
  const line = exportLine({ id: 'evt_1', bytes, text: null } as unknown as EventDetail);
  expect(JSON.parse(line)).toMatchObject({ body_encoding: 'base64', body: '/wBB' });
});
