import { expect, test } from 'vitest';
import {
  type DeliveryProgress,
  eventStatus,
  movedProgress,
  newProgress,
} from '../../src/core/event-status.ts';
import { DELIVERY_STATE, type EventStatus } from '../../src/core/model.ts';

const KINDS: DeliveryProgress[] = DELIVERY_STATE.names.flatMap((state) =>
  [0, 1, 7].map((attempts) => ({ state, attempts, probes: 0 })),
);

/** Every list of up to `length` deliveries, in every order. */
function lists(length: number): DeliveryProgress[][] {
  if (length === 0) return [[]];
  const shorter = lists(length - 1);
  const longest = shorter.filter((list) => list.length === length - 1);
  return [...shorter, ...longest.flatMap((list) => KINDS.map((kind) => [...list, kind]))];
}

/** The rules of design.md, "Status of an event", word by word. */
function statusByTheRules(deliveries: DeliveryProgress[]): EventStatus {
  const counted = deliveries.filter(({ state }) => state !== 'cancelled');
  const any = (state: string) => counted.some((delivery) => delivery.state === state);
  const allSucceeded = counted.every(({ state }) => state === 'succeeded');
  if (allSucceeded && counted.length >= 1) return 'delivered';
  if (!any('pending') && any('dead')) return 'dead_letter';
  const failedAttempt = counted.some(
    ({ state, attempts }) => attempts >= (state === 'succeeded' ? 2 : 1),
  );
  if (failedAttempt || any('dead')) return 'failed';
  return 'received';
}

/** The status after deliveries have moved, one by one, from new to their states. */
function statusOf(deliveries: DeliveryProgress[]): EventStatus {
  const progress = deliveries.reduce(
    (before, delivery) =>
      movedProgress(before, { state: 'pending', attempts: 0, probes: 0 }, delivery),
    newProgress(deliveries.length),
  );
  return eventStatus(progress);
}

test('every combination of up to three deliveries has the status by the rules', () => {
  const all = lists(3);
  expect(all.length).toBe(1 + 12 + 12 ** 2 + 12 ** 3);
  for (const deliveries of all) {
    expect(statusOf(deliveries), JSON.stringify(deliveries)).toBe(statusByTheRules(deliveries));
  }
});

const succeeded = { state: 'succeeded', attempts: 1, probes: 0 } as const;
const slow = { state: 'succeeded', attempts: 2, probes: 0 } as const;
const dead = { state: 'dead', attempts: 8, probes: 0 } as const;
const waiting = { state: 'pending', attempts: 0, probes: 0 } as const;
const retrying = { state: 'pending', attempts: 2, probes: 0 } as const;
const probed = { state: 'pending', attempts: 0, probes: 1 } as const;
const cancelled = { state: 'cancelled', attempts: 3, probes: 0 } as const;

test.each<[string, DeliveryProgress[], EventStatus]>([
  ['no destinations', [], 'received'],
  ['nothing tried yet', [waiting, waiting], 'received'],
  ['one of two delivered, the other not yet tried', [succeeded, waiting], 'received'],
  ['one delivered at the second attempt, the other not yet tried', [slow, waiting], 'failed'],
  ['all delivered', [succeeded, succeeded], 'delivered'],
  ['a retry is due', [retrying], 'failed'],
  ['a probe failed', [probed], 'failed'],
  ['delivered to one, retrying the other', [succeeded, retrying], 'failed'],
  ['one dead, the other not yet tried', [dead, waiting], 'failed'],
  ['one dead, the other delivered', [dead, succeeded], 'dead_letter'],
  ['all dead', [dead, dead], 'dead_letter'],
  ['all cancelled', [cancelled], 'received'],
  ['what is left of a cancelled one', [cancelled, succeeded], 'delivered'],
  ['dead and cancelled', [cancelled, dead], 'dead_letter'],
])('%s: %j is %s', (_, deliveries, status) => {
  expect(statusOf(deliveries)).toBe(status);
});
