import { expect, test } from 'vitest';
import type { RateSlot } from '../../../src/core/flow/flow.ts';
import {
  type GrantedStart,
  type GrantTerms,
  grantable,
  withGrants,
  withoutGrants,
} from '../../../src/core/flow/rate.ts';
import type { Rate } from '../../../src/core/settings/rate-schema.ts';

const RATE: Rate = { limit: 50, per: 'second' };

/** A generator of numbers from 0 to 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * Nodes at different distances ask in turn, start each grant at some time within it, and give some
 * back. One node loses all its grants. Returns the starts in order.
 */
function simulated(rate: Rate, seed: number, forMs: number): number[] {
  const next = random(seed);
  const nodes: GrantTerms[] = [30, 200, 500].map((leadMs) => ({
    ...{ leadMs, aheadMs: 400, spareMs: 20 },
  }));
  let starts: RateSlot[] = [];
  const made: number[] = [];
  const unused: { grant: GrantedStart; at: number }[] = [];
  for (let now = 0; now < forMs; now += Math.ceil(next() * 100)) {
    const back = unused.filter(({ at }) => at <= now).map(({ grant }) => grant);
    unused.splice(0, unused.length, ...unused.filter(({ at }) => at > now));
    starts = withoutGrants(starts, back);
    const dies = made.length > 0 && nodes.length === 3 && now > forMs / 2;
    const node = dies ? 2 : Math.floor(next() * nodes.length);
    const { grants } = grantable(rate, starts, now, nodes[node] as GrantTerms);
    const taken = grants.slice(0, Math.ceil(next() * 40));
    starts = withGrants(rate, starts, taken, now);
    if (dies) nodes.pop();
    else
      for (const grant of taken) {
        const at = Math.max(now, grant.from) + next() * (grant.by - Math.max(now, grant.from));
        if (next() < 0.1) unused.push({ grant, at: grant.by });
        else made.push(at);
      }
  }
  return made.sort((a, b) => a - b);
}

test.each([1, 2, 3, 4, 5])('no second has more starts than its limit (seed %s)', (seed) => {
  const made = simulated(RATE, seed, 60_000);
  const spans = made.slice(RATE.limit).map((at, i) => at - (made[i] as number));
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(1000);
  expect(made.length / 60).toBeGreaterThan(35);
});

test('a backlog goes out with more than 45 of 50 a second', () => {
  const terms: GrantTerms = { leadMs: 300, aheadMs: 500, spareMs: 40 };
  let starts: RateSlot[] = [];
  let count = 0;
  for (let now = 0; now < 60_000; now += 250) {
    const { grants } = grantable(RATE, starts, now, terms);
    starts = withGrants(RATE, starts, grants, now);
    count += grants.length;
  }
  expect(count / 60).toBeGreaterThan(45);
});

test('what is granted ahead says when to ask again, and what goes back is granted again', () => {
  const terms: GrantTerms = { leadMs: 100, aheadMs: 0, spareMs: 0 };
  const rate: Rate = { limit: 2, per: 'hour' };
  const { grants } = grantable(rate, [], 0, terms);
  expect(grants).toMatchObject([
    { from: 0, at: 100, by: 1100 },
    { from: 0, at: 100, by: 1100 },
  ]);
  const starts = withGrants(rate, [], grants, 0);
  const later = grantable(rate, starts, 50, terms);
  expect(later).toEqual({ grants: [], next: 3_601_101 });
  const back = withoutGrants(starts, grants.slice(1));
  expect(grantable(rate, back, 50, terms).grants).toHaveLength(1);
});
