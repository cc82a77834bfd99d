import { describe, expect, test } from 'vitest';
import { type HashTurn, HashTurns } from '../../src/accounts/hash-turns.ts';
import { refusalOf } from './account-setup.ts';

/** Turns whose tasks end one by one when the test says so. */
class Bench {
  readonly #turns = new HashTurns();
  /** Names of the tasks that have begun, in order. */
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];

  /** Asks for a turn and, after it, resolves with the name. */
  ask(account: string, source: string, name = account): Promise<string> {
    const turn: HashTurn = { account, source, what: 'logins of this account' };
    const done = this.#turns.run(turn, async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.#ends.push(resolve));
      return name;
    });
    done.catch(() => {});
    return done;
  }

  /** Ends this many tasks, each before the next. */
  async end(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.#ends.shift()?.();
      await new Promise(setImmediate);
    }
  }

  /** How many tasks begin before the named one. */
  async turnsUntil(name: string): Promise<number> {
    const before = this.begun.length;
    while (!this.begun.includes(name)) {
      if (this.#ends.length === 0) throw new Error(`${name} never begins`);
      await this.end(1);
    }
    return this.begun.indexOf(name) - before;
  }
}

/** This many different keys. */
const each = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

test('at most 2 hashes run at once; one key is served in order, and a failure frees its place', async () => {
  const turns = new HashTurns();
  const turn: HashTurn = { account: 'ada', source: '192.0.2.1', what: 'logins' };
  let running = 0;
  let most = 0;
  const finished: number[] = [];
  const results = await Promise.allSettled(
    each(8, '').map((_, i) =>
      turns.run(turn, async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        if (i === 3) throw new Error('broken');
        finished.push(i);
      }),
    ),
  );
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(finished).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(await turns.run(turn, async () => 'free')).toBe('free');
});

describe('a flood delays another client by a few turns:', () => {
  test.each<[name: string, flood: { account: string; source: string }[]]>([
    ['one account, one address', each(60, '').map(() => ({ account: 'eve', source: 'far' }))],
    ['one account, many addresses', each(60, 'far').map((source) => ({ account: 'eve', source }))],
    ['many accounts, one address', each(120, 'eve').map((account) => ({ account, source: 'far' }))],
    ['that client’s account', each(60, '').map(() => ({ account: 'ada', source: 'far' }))],
    ['that client’s address', each(60, '').map(() => ({ account: 'eve', source: 'near' }))],
  ])('%s', async (_, flood) => {
    const bench = new Bench();
    const flooded = flood.map(({ account, source }) => bench.ask(account, source, 'flood'));
    await bench.end(3);
    const login = bench.ask('ada', 'near', 'the owner');
    expect(await bench.turnsUntil('the owner')).toBeLessThanOrEqual(4);
    await bench.end(flood.length);
    expect(await login).toBe('the owner');
    expect(await Promise.all(flooded)).toHaveLength(flood.length);
  });
});

describe('places', () => {
  test('an account has 64 places; the next try is refused, and no other account is', async () => {
    const bench = new Bench();
    for (const name of each(66, 'x')) bench.ask('eve', 'near', name);
    expect(await refusalOf(bench.ask('eve', 'near'))).toMatchObject({
      code: 'rate_limited',
      message: 'too many logins of this account at once: 64 are waiting',
      retryAfterS: 1,
    });
    bench.ask('ada', 'near');
    expect(await bench.turnsUntil('ada')).toBeLessThanOrEqual(4);
  });

  test('a stranger who holds all places of an account gives one up to its owner', async () => {
    const bench = new Bench();
    const strangers = each(66, 'x').map((name) => bench.ask('ada', 'far', name));
    bench.ask('ada', 'near', 'the owner');
    expect((await refusalOf(strangers.at(-1) as Promise<string>)).code).toBe('rate_limited');
    expect(await bench.turnsUntil('the owner')).toBeLessThanOrEqual(4);
  });

  test('an address has 128 places; the account with most of them gives one up to another', async () => {
    const bench = new Bench();
    const most = each(66, 'x').map((name) => bench.ask('eve', 'near', name));
    for (const name of each(63, 'y')) bench.ask('bob', 'near', name);
    bench.ask('carl', 'near');
    bench.ask('ada', 'near');
    expect(await refusalOf(most.at(-1) as Promise<string>)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('from this address at once: 128 are waiting'),
    });
    expect(await bench.turnsUntil('ada')).toBeLessThanOrEqual(8);
  });

  test('an address with tries for 128 accounts is refused the next, and no other address is', async () => {
    const bench = new Bench();
    for (const account of each(130, 'eve')) bench.ask(account, 'far');
    expect((await refusalOf(bench.ask('eve', 'far'))).code).toBe('rate_limited');
    bench.ask('ada', 'near');
    expect(await bench.turnsUntil('ada')).toBeLessThanOrEqual(4);
  });

  test('there are 1024 places in all: an address with two gives one up; among equals nobody does', async () => {
    const bench = new Bench();
    for (const i of each(1026, '')) bench.ask(`eve${i}`, `far${i}`);
    const refused = await refusalOf(bench.ask('ada', 'near'));
    expect([refused.code, refused.retryAfterS]).toEqual(['overloaded', 1]);
    await bench.end(1);
    const second = bench.ask('mallory', 'far1025');
    bench.ask('ada', 'near');
    expect((await refusalOf(second)).code).toBe('rate_limited');
    await bench.turnsUntil('ada');
  });
});
