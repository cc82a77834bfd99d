import { describe, expect, test } from 'vitest';
import { EventLookups } from '../../../src/api/streams/event-lookups.ts';
import type { EventClass } from '../../../src/store/contract/live.ts';

const RULE = 'body.a=1';

/** A store whose lookups end on request. Even events fit, and those from 1000 on are gone. */
function setup() {
  const asked: { seqs: number[]; where: string | null }[] = [];
  const running: { resolve(): void; reject(error: Error): void }[] = [];
  const looks = new EventLookups({
    classify(seqs, where) {
      asked.push({ seqs: [...seqs], where });
      const found = seqs
        .filter((seq) => seq < 1000)
        .map((seq): EventClass => ({ seq, eventType: `type-${seq}`, fits: seq % 2 === 0 }));
      return new Promise((resolve, reject) => {
        running.push({ resolve: () => resolve(found), reject });
      });
    },
  });
  return { looks, asked, running };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Time for lookups to start, or for answers to arrive. */
const turns = async () => {
  for (let i = 0; i < 5; i++) await turn();
};

describe('lookups', () => {
  test('of all streams of one rule and turn are one batch, in order', async () => {
    const { looks, asked, running } = setup();
    const [one, two] = [looks.join('ada', RULE), looks.join('ada', RULE)];
    const found = Promise.all([one.of(1), two.of(1), one.of(2), two.of(1000)]);
    await turns();
    expect(asked).toEqual([{ seqs: [1, 2, 1000], where: RULE }]);
    running[0]?.resolve();
    expect(await found).toEqual([
      { seq: 1, eventType: 'type-1', fits: false },
      { seq: 1, eventType: 'type-1', fits: false },
      { seq: 2, eventType: 'type-2', fits: true },
      null,
    ]);
  });

  test('are remembered while a stream uses the rule', async () => {
    const { looks, asked, running } = setup();
    const first = looks.join('ada', RULE);
    const look = first.of(1);
    await turns();
    running[0]?.resolve();
    await look;
    await looks.join('ada', RULE).of(1);
    expect(asked).toHaveLength(1);
    looks.leave('ada', RULE);
    expect(looks.join('ada', RULE)).toBe(first);
    looks.leave('ada', RULE);
    looks.leave('ada', RULE);
    expect(looks.join('ada', RULE)).not.toBe(first);
  });

  test('of other rules and accounts have their own', async () => {
    const { looks, asked, running } = setup();
    void looks.join('ada', null).of(1);
    void looks.join('ada', RULE).of(1);
    void looks.join('bob', RULE).of(3);
    await turns();
    // One of an account runs at a time.
    expect(asked).toEqual([
      { seqs: [1], where: null },
      { seqs: [3], where: RULE },
    ]);
    running[0]?.resolve();
    await turns();
    expect(asked.slice(2)).toEqual([{ seqs: [1], where: RULE }]);
  });

  test('that wait for their turn take further events, up to a full batch', async () => {
    const { looks, asked, running } = setup();
    const rule = looks.join('ada', RULE);
    const all = [rule.of(0)];
    await turns();
    for (let seq = 1; seq <= 450; seq++) {
      all.push(rule.of(seq));
      if (seq % 100 === 0) await turn();
    }
    for (let i = 0; i < 4; i++) {
      await turns();
      running[i]?.resolve();
    }
    expect((await Promise.all(all)).map((look) => look?.seq)).toEqual(
      Array.from({ length: 451 }, (_, i) => i),
    );
    expect(asked.map(({ seqs }) => seqs.length)).toEqual([1, 200, 200, 50]);
  });

  test('that fail are asked again', async () => {
    const { looks, asked, running } = setup();
    const rule = looks.join('ada', null);
    const failed = rule.of(1);
    await turns();
    running[0]?.reject(new Error('the database is away'));
    await expect(failed).rejects.toThrow('away');
    const again = rule.of(1);
    await turns();
    running[1]?.resolve();
    expect((await again)?.eventType).toBe('type-1');
    expect(asked).toHaveLength(2);
  });

  test('are remembered for the newest 1000 events only', async () => {
    const { looks, asked, running } = setup();
    const rule = looks.join('ada', null);
    const ask = async (from: number, count: number) => {
      const found = Promise.all(Array.from({ length: count }, (_, i) => rule.of(from + i)));
      for (let i = 0; i <= count / 200; i++) {
        await turns();
        running.at(-1)?.resolve();
      }
      await found;
    };
    await ask(0, 1);
    await ask(1, 1000);
    const before = asked.length;
    await ask(1000, 1);
    expect(asked).toHaveLength(before);
    await ask(0, 1);
    expect(asked).toHaveLength(before + 1);
  });
});
