import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Coalescer } from '../../../src/api/streams/coalescer.ts';
import { EventLookups } from '../../../src/api/streams/event-lookups.ts';
import type { StreamFilter } from '../../../src/api/streams/item-gate.ts';
import { ReaderStream } from '../../../src/api/streams/reader-stream.ts';
import { SharedFrames } from '../../../src/api/streams/shared-frames.ts';
import { CAUGHT_UP } from '../../../src/core/http/caught-up.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { Turns } from '../../../src/core/turns/turns.ts';
import { Live } from '../../../src/live/live.ts';
import type { AppendResult } from '../../../src/store/contract/events.ts';
import type { LivePosition, LiveStore } from '../../../src/store/contract/live.ts';
import type { SettledAttempt } from '../../../src/store/contract/queue.ts';
import { until } from '../../fixtures/until.ts';

/* One stream on a store in memory: what it sends, and the cursors that it sends. */

const HEARTBEAT_MS = 15_000;
const OWNER = { userId: 'usr_ada', endpointKey: 1 };
const BY_RULE: StreamFilter = { type: null, where: 'body.a=1' };

afterEach(() => {
  vi.useRealTimers();
});

const event = (seq: number, eventType: string | null = 'push') =>
  ({
    seq,
    id: `evt_${seq}`,
    provider: 'stripe',
    eventType,
    size: 2,
    receivedAt: 0,
    verification: NOT_CHECKED,
  }) as EventSummary;
const attempt = (seq: number, eventSeq: number) =>
  ({
    attempt: {
      seq,
      id: `att_${seq}`,
      eventId: `evt_${eventSeq}`,
      attemptedAt: 0,
      nextAttemptAt: null,
    },
    eventSeq,
    eventStatus: 'delivered',
    ...OWNER,
  }) as SettledAttempt;

/** A database of events and attempts, of which some fit. */
class World {
  readonly events: EventSummary[] = [];
  readonly attempts: SettledAttempt[] = [];
  readonly fitting = new Set<number>();
  readonly looked: number[][] = [];
  isAway = false;
  readonly live = new Live({ eventSeq: 0, attemptSeq: 0 });

  readonly store: LiveStore = {
    includes: async () => true,
    lastSequences: async () => this.last,
    sequencesAt: async () => ({ eventSeq: 0, attemptSeq: 0 }),
    classify: async (seqs) => {
      if (this.isAway) throw new Error('the database is away');
      this.looked.push([...seqs]);
      return this.events
        .filter(({ seq }) => seqs.includes(seq))
        .map(({ seq, eventType }) => ({
          seq,
          eventType: eventType ?? 'from-body',
          fits: this.fitting.has(seq),
        }));
    },
    eventsAfter: async (_, after, limit) =>
      this.events.filter(({ seq }) => seq > after).slice(0, limit),
    attemptsAfter: async (_, after, limit) => {
      const page = this.attempts.filter(({ attempt: { seq } }) => seq > after).slice(0, limit);
      return { attempts: page, scannedTo: page.at(-1)?.attempt.seq ?? after };
    },
  };

  get last(): LivePosition {
    return {
      eventSeq: this.events.at(-1)?.seq ?? 0,
      attemptSeq: this.attempts.at(-1)?.attempt.seq ?? 0,
    };
  }

  add(one: EventSummary, { fits }: { fits: boolean }): void {
    this.events.push(one);
    if (fits) this.fitting.add(one.seq);
  }

  /** Waits until an event was looked into, which its stream then passes or skips. */
  lookedInto(seq: number): Promise<true> {
    return until(`a look into event ${seq}`, () => this.looked.flat().includes(seq));
  }

  publish(...events: EventSummary[]): void {
    this.live.publishEvents(
      events.map((one): AppendResult => ({ stored: true, event: one, response: null, ...OWNER })),
    );
  }

  open(filter: StreamFilter, cursor: string | null = null) {
    const output = new PassThrough();
    let text = '';
    output.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    onTestFinished(() => void output.destroy());
    const stream = new ReaderStream(
      output as unknown as ServerResponse,
      OWNER.userId,
      { userId: OWNER.userId },
      { cursor, from: undefined },
      filter,
      {
        live: this.live,
        store: this.store,
        clock: { now: () => 0 } as never,
        history: () => 'h',
        revalidate: async () => ({}) as never,
        published: async () => this.last,
        turns: new Turns({ slots: 1, slotsPerKey: 1 }),
        coalescer: new Coalescer(),
        shared: new SharedFrames(),
        looks: new EventLookups(this.store),
      },
    );
    void stream.run(undefined, null);
    const frames = () =>
      [...text.matchAll(/^event: (\w+)\nid: (\S+)\ndata: (.*)\n$/gm)].map(
        ([, name, id, data]) =>
          `${[name, JSON.parse(data as string).id].filter(Boolean).join(' ')} ${id}`,
      );
    return {
      /** Each frame: its event, the id of its item and its cursor. */
      frames,
      /** The first frames, once there are so many. */
      async first(count: number): Promise<string[]> {
        await until(`${count} frames`, () => frames().length >= count);
        return frames();
      },
      /** All that the stream has sent is in `frames`, and published items come next. */
      caughtUp: () => until('the stream has caught up', () => text.includes(`: ${CAUGHT_UP}\n`)),
      text: () => text,
      isGone: () => output.destroyed,
    };
  }
}

describe('catch-up with a rule', () => {
  test('sends events that fit and their attempts, in order, over many slices', async () => {
    const world = new World();
    for (let seq = 1; seq <= 250; seq++) {
      world.add(event(seq), { fits: seq % 100 === 0 });
      world.attempts.push(attempt(seq, seq));
    }
    const stream = world.open(BY_RULE, 'h.0.0');
    await stream.caughtUp();
    expect(stream.frames()).toEqual([
      'ready h.0.0',
      'event evt_100 h.100.0',
      'event evt_200 h.200.0',
      'attempt att_100 h.250.100',
      'attempt att_200 h.250.200',
    ]);
    // In batches, each event of a slice once.
    expect(world.looked.map(({ length }) => length)).toEqual([100, 100, 50, 100, 100, 50]);
  });

  test('goes on with published items, without a gap or a repeat', async () => {
    const world = new World();
    for (const seq of [1, 2]) world.add(event(seq), { fits: true });
    const stream = world.open(BY_RULE, 'h.1.0');
    // Published while the stream catches up: one is among what it reads.
    world.add(event(3), { fits: true });
    world.add(event(4), { fits: false });
    world.add(event(5), { fits: true });
    world.publish(event(2), event(3), event(4), event(5));
    await stream.first(4);
    // Whatever else were sent would come before this one.
    world.add(event(6), { fits: true });
    world.publish(event(6));
    const frames = await stream.first(5);
    expect(frames.map((one) => one.split(' ').slice(0, -1).join(' '))).toEqual([
      'ready',
      'event evt_2',
      'event evt_3',
      'event evt_5',
      'event evt_6',
    ]);
  });

  test('ends the stream when a look fails', async () => {
    const world = new World();
    world.add(event(1), { fits: true });
    world.isAway = true;
    const stream = world.open(BY_RULE, 'h.0.0');
    await until('the stream ends', stream.isGone);
    expect(stream.frames()).toEqual(['ready h.0.0']);
  });
});

describe('the cursor', () => {
  test('passes events that don’t fit with the next heartbeat, once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const world = new World();
    const stream = world.open(BY_RULE);
    await stream.caughtUp();
    for (const seq of [1, 2]) world.add(event(seq), { fits: false });
    world.publish(event(1), event(2));
    await world.lookedInto(2);
    expect(stream.frames()).toEqual(['ready h.0.0']);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await stream.first(2)).toEqual(['ready h.0.0', 'cursor h.2.0']);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    await until('a bare heartbeat', () => stream.text().endsWith('data: {}\n\n:\n\n'));
    expect(stream.frames()).toHaveLength(2);
  });

  test('of a heartbeat isn’t ahead of items that wait to be written or looked into', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const world = new World();
    const stream = world.open(BY_RULE);
    await stream.caughtUp();
    world.add(event(1), { fits: false });
    world.publish(event(1));
    await world.lookedInto(1);
    world.add(event(2), { fits: true });
    world.publish(event(2));
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await stream.first(3)).toEqual(['ready h.0.0', 'cursor h.1.0', 'event evt_2 h.2.0']);
  });

  test('of a heartbeat comes after frames that are gathered for one write', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const world = new World();
    const stream = world.open({ type: 'push', where: null });
    await stream.caughtUp();
    world.publish(event(1), event(2, 'other'));
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await stream.first(3)).toEqual(['ready h.0.0', 'event evt_1 h.1.0', 'cursor h.2.0']);
  });

  test('passes what doesn’t fit during catch-up too', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const world = new World();
    for (let seq = 1; seq <= 150; seq++) world.add(event(seq), { fits: false });
    const stream = world.open(BY_RULE, 'h.0.0');
    await stream.caughtUp();
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await stream.first(2)).toEqual(['ready h.0.0', 'cursor h.150.0']);
  });
});

describe('a stream without a filter', () => {
  const ALL: StreamFilter = { type: null, where: null };

  test('sends types that only bodies name, in order', async () => {
    const world = new World();
    const stream = world.open(ALL);
    await stream.caughtUp();
    for (const one of [event(1), event(2, null), event(3)]) world.add(one, { fits: true });
    world.publish(...world.events);
    expect((await stream.first(4)).slice(1)).toEqual([
      'event evt_1 h.1.0',
      'event evt_2 h.2.0',
      'event evt_3 h.3.0',
    ]);
    const types = [...stream.text().matchAll(/"event_type":"([^"]*)"/g)].map(([, type]) => type);
    expect(types).toEqual(['push', 'from-body', 'push']);
    expect(world.looked).toEqual([[2]]);
  });

  test('ends when the database is away, and nothing after that item is sent', async () => {
    const world = new World();
    const stream = world.open(ALL);
    await stream.caughtUp();
    world.isAway = true;
    world.publish(event(1, null), event(2));
    await until('the stream ends', stream.isGone);
    expect(stream.frames()).toEqual(['ready h.0.0']);
  });
});
