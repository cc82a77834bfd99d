import type { Database, Statement } from 'better-sqlite3';
import {
  type DeliveryProgress,
  type EventProgress,
  eventStatus,
  movedProgress,
  newProgress,
} from '../../../core/event-status.ts';
import type { UnjudgedReason } from '../../../core/judging/unjudged.ts';
import type { EventStatus } from '../../../core/model.ts';
import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import { stateOf, statusCode, statusOf, unjudgedCode } from '../../shared/codes.ts';
import { fateOf } from '../../shared/endpoints/stored-endpoint.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { REPLAYED } from '../../shared/events/event-columns.ts';
import { dropsOf, NO_DROPS, storedDropsOf } from '../../shared/events/filtered-events.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { JobChanges } from '../../shared/queue/job-changes.ts';
import {
  type EventsToJudge,
  eventsToJudge,
  type ReplayVerdicts,
  verdictOn,
} from '../../shared/replays/judgement.ts';
import {
  dropsLeft,
  orderKeysOf,
  type ReplayDestination,
  type ReplayMode,
  targetsOf,
} from '../../shared/replays/replayed-event.ts';
import { ofSettled } from '../deliveries/settled-deliveries.ts';
import type { Rounds } from '../queue/rounds.ts';

interface EventRow extends EventProgress {
  seq: number;
  id: string;
  round: number;
  counted_from: number | null;
  size: number;
  status: number;
  receivedAt: number;
  unjudged: number | null;
}

/** How to replay events of one endpoint. */
export interface Replay {
  endpointKey: number;
  mode: ReplayMode;
  destinations: readonly ReplayDestination[];
  jobKey: number | null;
  now: number;
}

/** Events to judge. `userId` is the account that is charged for judging. */
export type OwnedEventsToJudge = EventsToJudge & { userId: string };

/** The new deliveries of a round. */
interface Opened {
  destinations: readonly ClaimedDestination[];
  orderKeys: readonly OrderKey[];
  unjudged: UnjudgedReason | null;
  isAll: boolean;
  /** Whether the deliveries count for the status. */
  isCounted: boolean;
}

/** What the replays of one operation hand over, and the counters that they change. */
export class ReplayEffects {
  readonly handover: ClaimCollector;
  readonly counts = new CountChanges();
  readonly jobs = new JobChanges();

  constructor(terms: ClaimTerms) {
    this.handover = new ClaimCollector(terms);
  }
}

/** Replays events one by one. All methods run in the writer's transaction. */
export class EventReplays {
  readonly #rounds: Rounds;
  readonly #event: Statement<[number, number], EventRow>;
  readonly #settings: Statement<[number], string>;
  readonly #owner: Statement<[number], { userId: string; version: number }>;
  readonly #drops: Statement<[number, number], string>;
  readonly #setDrops: Statement<[string, number, number]>;
  readonly #deleteDrops: Statement<[number, number]>;
  readonly #begin: Statement<unknown[]>;
  readonly #openAt: Statement<[number, number], number>;
  readonly #openFor: Statement<unknown[], { attempts: number; probes: number }>;
  readonly #settledFor: Statement<unknown[], { state: number; attempts: number; probes: number }>;

  constructor(db: Database, rounds: Rounds) {
    this.#rounds = rounds;
    this.#event = db.prepare(`
      SELECT e.seq, e.id, e.round, e.counted_from, e.size, e.status, e.received_at AS receivedAt,
        e.unjudged, e.open, e.succeeded, e.dead, e.failed
      FROM events e JOIN endpoints p ON p.key = e.endpoint_key
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    this.#settings = db
      .prepare<[number], string>('SELECT settings FROM endpoints WHERE key = ?')
      .pluck();
    this.#owner = db.prepare(
      'SELECT user_id AS userId, settings_version AS version FROM endpoints WHERE key = ?',
    );
    const ofEvent = 'WHERE endpoint_key = ? AND event_seq = ?';
    this.#drops = db
      .prepare<[number, number], string>(`SELECT dropped FROM filtered_events ${ofEvent}`)
      .pluck();
    this.#setDrops = db.prepare(`UPDATE filtered_events SET dropped = ? ${ofEvent}`);
    this.#deleteDrops = db.prepare(`DELETE FROM filtered_events ${ofEvent}`);
    this.#begin = db.prepare(`
      UPDATE events SET round = round + 1, (${REPLAYED.names}) = (${REPLAYED.marks})
      WHERE endpoint_key = ? AND seq = ?`);
    this.#openAt = db
      .prepare<[number, number], number>(`
        SELECT d.key FROM destinations d
        CROSS JOIN open_deliveries o ON o.destination_key = d.key AND o.event_seq = ?
        WHERE d.endpoint_key = ? AND d.removed_at IS NULL`)
      .pluck();
    this.#openFor = db.prepare(`
      SELECT attempts, probes FROM open_deliveries
      WHERE destination_key = ? AND event_seq = ? AND round >= ?
      ORDER BY round DESC LIMIT 1`);
    this.#settledFor = db.prepare(`
      ${ofSettled(
        (table) => `
          SELECT round, state, attempts, probes FROM ${table}
          WHERE endpoint_key = ? AND event_seq = ? AND round >= ? AND destination_key = ?`,
      )}
      ORDER BY round DESC LIMIT 1`);
  }

  /** Returns what to judge before these events are replayed; null if nothing needs a verdict. */
  unjudged(
    replay: Replay,
    seqs: readonly number[],
    judged: ReplayVerdicts | null,
  ): OwnedEventsToJudge | null {
    const { endpointKey, destinations } = replay;
    if (destinations.every(({ filter, orderBy }) => filter === null && orderBy === null))
      return null;
    const owner = this.#owner.get(endpointKey);
    if (!owner || judged?.version === owner.version) return null;
    const events = seqs.flatMap((seq) => this.#event.get(endpointKey, seq) ?? []);
    const needed = eventsToJudge(replay, events, owner.version);
    return needed && { ...needed, userId: owner.userId };
  }

  /**
   * Replays one event. `judged` has the verdict if the event needs one. Returns the number of
   * deliveries in the new round; null if the event is gone.
   */
  replay(
    replay: Replay,
    seq: number,
    judged: ReplayVerdicts | null,
    effects: ReplayEffects,
  ): number | null {
    const { endpointKey, mode } = replay;
    const event = this.#event.get(endpointKey, seq);
    if (!event) return null;
    const drops = dropsOf(this.#drops.get(endpointKey, seq) ?? NO_DROPS);
    const verdict = verdictOn(event, replay, judged);
    const destinations = targetsOf(mode, replay.destinations, drops, verdict);
    const isAll = mode === 'all';
    if (destinations.length === 0 && !isAll) return 0;
    // A delivered event doesn't count as filtered.
    const left = dropsLeft(drops, destinations);
    if (left?.length === 0) this.#deleteDrops.run(endpointKey, seq);
    else if (left) this.#setDrops.run(storedDropsOf(left), endpointKey, seq);
    const orderKeys = orderKeysOf(destinations, verdict);
    this.#open(
      replay,
      event,
      {
        ...{ destinations, orderKeys, isAll, isCounted: true },
        unjudged: verdict?.unjudged ?? null,
      },
      effects,
    );
    return destinations.length;
  }

  has(endpointKey: number, seq: number): boolean {
    return this.#event.get(endpointKey, seq) !== undefined;
  }

  /** Sends one event to a one-off URL. The event keeps its status. */
  replayOnce(
    replay: Omit<Replay, 'mode' | 'destinations'>,
    seq: number,
    destination: ClaimedDestination,
    effects: ReplayEffects,
  ): number {
    const event = this.#event.get(replay.endpointKey, seq) as EventRow;
    const opened = {
      ...{ destinations: [destination], orderKeys: [], unjudged: null },
      ...{ isAll: false, isCounted: false },
    };
    this.#open(replay, event, opened, effects);
    return 1;
  }

  /** Writes the counters that the replays changed. Call it once, at the end of the operation. */
  write({ counts, jobs }: ReplayEffects): void {
    this.#rounds.counts.apply(counts);
    this.#rounds.jobCounts.apply(jobs);
  }

  #open(
    { endpointKey, now, jobKey }: Pick<Replay, 'endpointKey' | 'now' | 'jobKey'>,
    event: EventRow,
    { destinations, orderKeys, unjudged, isAll, isCounted }: Opened,
    { handover, counts, jobs }: ReplayEffects,
  ): void {
    const { seq, id: eventId, size } = event;
    const round = event.round + 1;
    const keys = destinations.map(({ key }) => key);
    const startsAnew = isAll && !this.#isOpenElsewhere(endpointKey, seq, keys);
    const countedFrom = startsAnew ? null : (event.counted_from ?? event.round);
    let progress: EventProgress = event;
    if (startsAnew) progress = newProgress(destinations.length);
    else if (isCounted) progress = this.#replaced(endpointKey, event, destinations);
    const status = isCounted ? eventStatus(progress) : statusOf(event.status);
    const row = {
      ...progress,
      status: statusCode(status),
      countedFrom,
      unjudged: event.unjudged ?? unjudgedCode(unjudged),
    };
    this.#begin.run(...REPLAYED.values(row), endpointKey, seq);
    this.#count(endpointKey, statusOf(event.status), status, counts);
    for (const key of this.#rounds.supersede(keys, seq, round, jobs)) handover.unclaimed.add(key);
    jobs.move(jobKey, null, 'pending', destinations.length);
    this.#rounds.open(
      {
        ...{ endpointKey, seq, eventId, round, trigger: 'replay', now, size },
        ...{ orderKeys, jobKey },
        // A replay of a single event is a person's decision, so its deliveries aren't held.
        isHeld: unjudged !== null && jobKey !== null && this.#holdsUnjudged(endpointKey),
      },
      destinations,
      handover,
    );
  }

  /** Whether a delivery to another destination is open. That destination may be disabled. */
  #isOpenElsewhere(endpointKey: number, seq: number, keys: readonly number[]): boolean {
    return this.#openAt.all(seq, endpointKey).some((key) => !keys.includes(key));
  }

  #count(
    endpointKey: number,
    before: EventStatus,
    after: EventStatus,
    changes: CountChanges,
  ): void {
    if (before === after) return;
    changes.add(endpointKey, before, -1);
    changes.add(endpointKey, after, 1);
  }

  /** Returns the event's progress after new deliveries replace those to the same destinations. */
  #replaced(
    endpointKey: number,
    event: EventRow,
    destinations: readonly ClaimedDestination[],
  ): EventProgress {
    const from = event.counted_from ?? event.round;
    let progress: EventProgress = event;
    for (const { key } of destinations) {
      const before = this.#counted(endpointKey, event.seq, from, key);
      progress = movedProgress(progress, before, { state: 'pending', attempts: 0, probes: 0 });
    }
    return progress;
  }

  /** Returns the newest counted delivery to a destination; a cancelled one if there is none. */
  #counted(
    endpointKey: number,
    seq: number,
    from: number,
    destinationKey: number,
  ): DeliveryProgress {
    const open = this.#openFor.get(destinationKey, seq, from);
    if (open) return { state: 'pending', ...open };
    const place = [endpointKey, seq, from, destinationKey];
    const settled = this.#settledFor.get(...place, ...place);
    if (settled) {
      const { state, attempts, probes } = settled;
      return { state: stateOf(state), attempts, probes };
    }
    return { state: 'cancelled', attempts: 0, probes: 0 };
  }

  #holdsUnjudged(endpointKey: number): boolean {
    const settings = this.#settings.get(endpointKey);
    return settings !== undefined && fateOf(settings) === 'held';
  }
}
