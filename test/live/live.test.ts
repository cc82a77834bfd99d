import { describe, expect, test } from 'vitest';
import type { EventSummary } from '../../src/core/model.ts';
import { Live, type LiveItem } from '../../src/live/live.ts';
import type { AppendResult } from '../../src/store/contract/events.ts';
import type { SettledAttempt } from '../../src/store/contract/queue.ts';

const ADA = { userId: 'usr_ada', endpointKey: 1 };
const BOB = { userId: 'usr_bob', endpointKey: 2 };

const stored = (seq: number, owner: { userId: string; endpointKey: number }): AppendResult => ({
  stored: true,
  event: { seq, id: `evt_${seq}` } as EventSummary,
  response: null,
  ...owner,
});
const refused: AppendResult = { stored: false, reason: 'endpoint_inactive' };
const settled = (seq: number, owner: { userId: string; endpointKey: number }): SettledAttempt =>
  ({ attempt: { seq, id: `att_${seq}` }, eventStatus: 'delivered', ...owner }) as SettledAttempt;

function setup() {
  const live = new Live({ eventSeq: 10, attemptSeq: 20 });
  const follow = (scope: { userId: string } | { endpointKeys: number[] }) => {
    const items: LiveItem[] = [];
    return { items, leave: live.subscribe(scope, (item) => items.push(item)) };
  };
  return { live, follow };
}

const nameOf = (item: LiveItem) =>
  item.kind === 'event' ? item.event.id : item.settled.attempt.id;

describe('readers', () => {
  test('of an account see all its endpoints; readers of an endpoint see only that one', () => {
    const { live, follow } = setup();
    const ada = follow({ userId: ADA.userId });
    const bob = follow({ userId: BOB.userId });
    const endpoint = follow({ endpointKeys: [ADA.endpointKey] });
    live.publishEvents([stored(11, ADA), stored(12, BOB), stored(13, { ...ADA, endpointKey: 3 })]);
    live.publishAttempts([settled(21, BOB), settled(22, ADA)]);
    expect(ada.items.map(nameOf)).toEqual(['evt_11', 'evt_13', 'att_22']);
    expect(bob.items.map(nameOf)).toEqual(['evt_12', 'att_21']);
    expect(endpoint.items.map(nameOf)).toEqual(['evt_11', 'att_22']);
  });

  test('see nothing of refused events', () => {
    const { live, follow } = setup();
    const ada = follow({ userId: ADA.userId });
    live.publishEvents([refused, stored(11, ADA), refused]);
    expect(ada.items.map(nameOf)).toEqual(['evt_11']);
  });

  test('who have left see nothing more, others do', () => {
    const { live, follow } = setup();
    const [one, two] = [follow({ userId: ADA.userId }), follow({ userId: ADA.userId })];
    live.publishEvents([stored(11, ADA)]);
    one.leave();
    one.leave();
    live.publishEvents([stored(12, ADA)]);
    two.leave();
    live.publishEvents([stored(13, ADA)]);
    expect(one.items.map(nameOf)).toEqual(['evt_11']);
    expect(two.items.map(nameOf)).toEqual(['evt_11', 'evt_12']);
  });

  test('may leave during a notification', () => {
    const live = new Live({ eventSeq: 0, attemptSeq: 0 });
    const told: string[] = [];
    const leave = live.subscribe({ userId: ADA.userId }, () => {
      told.push('one');
      leave();
    });
    live.subscribe({ userId: ADA.userId }, () => told.push('two'));
    live.publishEvents([stored(1, ADA), stored(2, ADA)]);
    expect(told).toEqual(['one', 'two', 'two']);
  });
});

describe('positions', () => {
  test('count everything published, for any reader', () => {
    const { live, follow } = setup();
    const ada = follow({ userId: ADA.userId });
    live.publishEvents([stored(11, BOB), stored(12, ADA)]);
    live.publishAttempts([settled(21, BOB), settled(22, ADA)]);
    live.publishEvents([stored(13, ADA)]);
    expect(ada.items.map(({ position }) => [position.eventSeq, position.attemptSeq])).toEqual([
      [12, 20],
      [12, 22],
      [13, 22],
    ]);
  });

  test('never go back: an attempt recorded earlier is repeated at most', () => {
    const { live, follow } = setup();
    const ada = follow({ userId: ADA.userId });
    live.publishAttempts([settled(25, ADA), settled(23, ADA)]);
    expect(ada.items.map(({ position }) => position.attemptSeq)).toEqual([25, 25]);
  });

  test('share one object per item, so its frame is made once', () => {
    const { live, follow } = setup();
    const [one, two] = [
      follow({ userId: ADA.userId }),
      follow({ endpointKeys: [ADA.endpointKey] }),
    ];
    live.publishEvents([stored(11, ADA)]);
    expect(one.items[0]).toBe(two.items[0]);
  });
});
