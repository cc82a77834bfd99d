import { expect, test } from 'vitest';
import { type Flow, NO_FLOW } from '../../../src/core/flow/flow.ts';
import { slotsAgain, withoutSlots, withSlots } from '../../../src/core/flow/slots.ts';

const FIXED = { concurrency: 8 } as const;
const UNTIL = 100_000;

/** The flow and the slots of a node after it claimed so many deliveries. */
function asked(flow: Flow, node: string, holds: [slots: number, claims: number], claimed: number) {
  const holder = { node, slots: holds[0], claims: holds[1], until: UNTIL };
  return withSlots(FIXED, flow, holder, { claimed, live: 0 }, 0);
}

const held = ({ slots }: Flow) => Object.fromEntries(slots.map((one) => [one.node, one.slots]));

test('a node has as many slots as it has claims, up to what others leave', () => {
  const a = asked(NO_FLOW, 'a', [0, 0], 3);
  expect(a.slots).toBe(3);
  const b = asked(a.flow, 'b', [0, 0], 40);
  expect(b.slots).toBe(5);
  expect(held(b.flow)).toEqual({ a: 3, b: 5 });
  expect(asked(b.flow, 'a', [3, 20], 20).slots).toBe(3);
});

test('a node that waits gets its share when attempts of the other have ended', () => {
  const a = asked(NO_FLOW, 'a', [0, 0], 40);
  const waits = asked(a.flow, 'b', [0, 0], 0);
  expect(waits.slots).toBe(0);
  expect(held(waits.flow)).toEqual({ a: 8, b: 0 });
  // Eight attempts are under way: all are held until some have ended.
  const told = asked(waits.flow, 'a', [8, 30], 10);
  expect(told.slots).toBe(4);
  expect(held(told.flow)).toEqual({ a: 8, b: 0 });
  const lowered = asked(told.flow, 'a', [5, 30], 10);
  expect(held(lowered.flow)).toEqual({ a: 5, b: 0 });
  expect(asked(lowered.flow, 'b', [0, 0], 40).slots).toBe(3);
});

test('one slot never moves while its node has work: the order of due times holds', () => {
  const one = { concurrency: 1 } as const;
  const a = withSlots(
    one,
    NO_FLOW,
    { node: 'a', slots: 0, claims: 0, until: UNTIL },
    { claimed: 4, live: 0 },
    0,
  );
  const b = withSlots(
    one,
    a.flow,
    { node: 'b', slots: 0, claims: 0, until: UNTIL },
    { claimed: 0, live: 0 },
    0,
  );
  expect(b.slots).toBe(0);
  const again = withSlots(
    one,
    b.flow,
    { node: 'a', slots: 1, claims: 4, until: UNTIL },
    { claimed: 4, live: 0 },
    0,
  );
  expect(again.slots).toBe(1);
});

test('a dead node’s slots end with their lease; slots that are given back are free', () => {
  const a = asked(NO_FLOW, 'a', [0, 0], 40);
  const holder = { node: 'b', slots: 0, claims: 0, until: 2 * UNTIL };
  expect(slotsAgain(a.flow, 8, holder, 0)).toBe(UNTIL);
  expect(withSlots(FIXED, a.flow, holder, { claimed: 9, live: 0 }, UNTIL).slots).toBe(8);
  const kept = { ...a.flow, slots: withoutSlots(a.flow.slots, 'a', 2) };
  expect(asked(kept, 'b', [0, 0], 9).slots).toBe(6);
  expect(withoutSlots(a.flow.slots, 'a', 0)).toEqual([]);
});

test('attempts from before the concurrency was fixed count as claims until they are over', () => {
  const crowded: Flow = { ...NO_FLOW, crowded: true };
  const holder = { node: 'a', slots: 0, claims: 0, until: UNTIL };
  const first = withSlots(FIXED, crowded, holder, { claimed: 3, live: 5 }, 0);
  expect(first).toMatchObject({ slots: null, flow: { crowded: true } });
  const over = withSlots(FIXED, first.flow, { ...holder, claims: 3 }, { claimed: 5, live: 3 }, 0);
  expect(over.flow.crowded).toBeNull();
});
