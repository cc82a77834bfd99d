import type { Database, Statement } from 'better-sqlite3';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import { captureRound } from '../../shared/capture/captured-event.ts';
import {
  type CapturingEndpoint,
  isKept,
  judgeByOf,
  refusalOf,
  sharesOf,
  targetOf,
} from '../../shared/capture/capturing-endpoint.ts';
import { statusCode, unjudgedCode } from '../../shared/codes.ts';
import { Columns } from '../../shared/columns.ts';
import { ENDPOINT_COLUMNS, type EndpointRow } from '../../shared/endpoints/stored-endpoint.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { FILTERED_EVENT, NEW_EVENT } from '../../shared/events/event-columns.ts';
import {
  type CapturedShares,
  capturedDeliveries,
  type SummaryDeliveries,
} from '../../shared/events/event-deliveries.ts';
import { storedDrops, storedUncomparable } from '../../shared/events/filtered-events.ts';
import { proofColumns } from '../../shared/events/stored-proof.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { DestinationRules } from '../destinations/destination-rules.ts';
import type { RequestRows } from '../events/prepared-request.ts';
import { storedBody } from '../events/stored-body.ts';
import type { Headroom } from '../files/headroom.ts';
import type { Writer } from '../files/writer.ts';
import type { Rounds } from '../queue/rounds.ts';
import { RejectedRequests } from '../rejected/rejected-requests.ts';
import type { Indexer } from '../search-index/indexer.ts';
import type { AppendedBatch, AppendedEvent, CapturedFor } from './append-result.ts';
import { FirstEvents } from './first-events.ts';

const RECEIVED = statusCode('received');

const CONTENT = new Columns({
  endpointKey: 'bigint',
  query: 'text',
  headers: 'text',
  body: 'bytea',
  uncompressedSize: 'integer?',
});

/** An endpoint of the batch. */
interface Target {
  endpoint: CapturingEndpoint;
  of: CapturedFor;
  destinations: ClaimedDestination[];
  judgeBy?: JudgingSettings;
  /** What the deliveries of most events are. */
  usual?: SummaryDeliveries;
}

type Result = AppendedBatch['results'][number];

/** Changes that a batch collects. They are applied when the batch ends. */
interface Effects {
  handover: ClaimCollector;
  changes: CountChanges;
  /** Keys of endpoints that got a rejected request. */
  rejectedAt: Set<number>;
}

/** Stores captured requests (see `EventStore.appendBatch`). */
export class Captures {
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #headroom: Headroom;
  readonly #indexer: Indexer;
  readonly #rules: DestinationRules;
  readonly #first: FirstEvents;
  readonly #rejected: RejectedRequests;
  readonly #endpoint: Statement<[string], EndpointRow>;
  readonly #insertContent: Statement<unknown[]>;
  readonly #insertEvent: Statement<unknown[]>;
  readonly #insertDrops: Statement<unknown[]>;

  constructor(db: Database, writer: Writer, rounds: Rounds, headroom: Headroom, indexer: Indexer) {
    this.#writer = writer;
    this.#rounds = rounds;
    this.#headroom = headroom;
    this.#indexer = indexer;
    this.#rules = new DestinationRules(db);
    this.#first = new FirstEvents(db);
    this.#rejected = new RejectedRequests(db);
    this.#endpoint = db.prepare(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p WHERE p.public_token = ?`,
    );
    this.#insertContent = db.prepare(`
      INSERT INTO event_contents (${CONTENT.names}) VALUES (${CONTENT.marks})`);
    this.#insertEvent = db.prepare(`
      INSERT INTO events (${NEW_EVENT.names}, status, round)
      VALUES (${NEW_EVENT.marks}, ${RECEIVED}, 1)`);
    this.#insertDrops = db.prepare(`
      INSERT INTO filtered_events (${FILTERED_EVENT.names}) VALUES (${FILTERED_EVENT.marks})`);
  }

  async append(requests: readonly RequestRows[], terms: ClaimTerms): Promise<AppendedBatch> {
    this.#headroom.check();
    const appended = await this.#writer.write(() => {
      const effects: Effects = {
        handover: new ClaimCollector(terms),
        changes: new CountChanges(),
        rejectedAt: new Set(),
      };
      const targets = new Map<string, Target | null>();
      const results = requests.map((request): Result => {
        let target = targets.get(request.publicToken);
        if (target === undefined) {
          target = this.#target(request.publicToken);
          targets.set(request.publicToken, target);
        }
        return this.#append(request, target, effects);
      });
      this.#rounds.counts.apply(effects.changes);
      for (const key of effects.rejectedAt) this.#rejected.trim(key);
      const { claimed, unclaimed } = effects.handover;
      return { results, claimed, unclaimed };
    });
    this.#indexer.wake();
    return appended;
  }

  #append(request: RequestRows, target: Target | null, effects: Effects): Result {
    if (!target) return { stored: false, reason: 'endpoint_not_found' };
    const reason = refusalOf(request.verdict, target.endpoint);
    if (reason === 'stale') return { stored: false, reason, judgeBy: this.#judgeBy(target) };
    const { endpointKey } = target.of;
    if (reason === 'signature_invalid' && isKept(request)) {
      this.#rejected.add(endpointKey, request);
      effects.rejectedAt.add(endpointKey);
    }
    if (reason) return { stored: false, reason };
    if (request.accepts !== undefined && !this.#rejected.take(endpointKey, request.accepts)) {
      return { stored: false, reason: 'rejected_not_found' };
    }
    return this.#insert(request, target, effects);
  }

  #target(publicToken: string): Target | null {
    const row = this.#endpoint.get(publicToken);
    if (!row) return null;
    const endpoint = targetOf(row);
    const { key: endpointKey, id: endpointId, userId, settings } = endpoint;
    return {
      endpoint,
      of: { userId, endpointKey, endpointId, response: settings.response },
      destinations: this.#rounds.destinations(endpointKey),
    };
  }

  /** Returns one object for all requests of an endpoint, so that a message clones it only once. */
  #judgeBy(target: Target): JudgingSettings {
    const { endpoint } = target;
    target.judgeBy ??= judgeByOf(endpoint, this.#rules.filtersOf(endpoint.key));
    return target.judgeBy;
  }

  #insert(request: RequestRows, target: Target, { handover, changes }: Effects): AppendedEvent {
    const { endpoint, of, destinations } = target;
    const { verdict } = request;
    const { endpointKey } = of;
    const { body, uncompressed_size: uncompressedSize } = storedBody(request.body);
    const { query, headers } = request;
    const { lastInsertRowid } = this.#insertContent.run(
      ...CONTENT.values({ endpointKey, query, headers, body, uncompressedSize }),
    );
    const seq = Number(lastInsertRowid);
    const first = verdict?.once
      ? this.#first.claim({ endpointKey, seq, eventId: request.id }, verdict.once)
      : undefined;
    const { takers, dropped } = sharesOf(request, first !== undefined, destinations);
    const { verification, proof } = proofColumns(verdict?.verification ?? null);
    this.#insertEvent.run(
      ...NEW_EVENT.values({
        endpointKey,
        seq,
        id: request.id,
        method: request.method,
        path: request.path,
        contentType: request.contentType,
        size: request.body.length,
        provider: request.provider,
        eventType: request.eventType,
        sourceIp: request.sourceIp,
        receivedAt: request.receivedAt,
        open: takers.length,
        editedFrom: request.editedFrom ?? null,
        verification,
        proof,
        duplicateOf: first?.eventId ?? null,
        duplicateConflict: first?.isConflicting ?? null,
        unjudged: unjudgedCode(verdict?.unjudged ?? null),
      }),
    );
    if (dropped.length > 0) {
      this.#insertDrops.run(
        ...FILTERED_EVENT.values({
          endpointKey,
          eventSeq: seq,
          dropped: storedDrops(dropped, request.receivedAt),
          uncomparable: storedUncomparable(dropped),
        }),
      );
    }
    changes.add(endpointKey, 'received', 1);
    const round = captureRound(request, endpointKey, seq, endpoint.settings);
    const ordered = this.#rounds.open(round, takers, handover);
    const deliveries = deliveriesOf(target, { takers, dropped, ordered, round });
    return first ? { seq, of, deliveries, first } : { seq, of, deliveries };
  }
}

/** Returns one object for the usual events of an endpoint, so that a message clones it only once. */
function deliveriesOf(target: Target, capture: CapturedShares): SummaryDeliveries {
  const { takers, dropped, ordered, round } = capture;
  const isUsual =
    takers === target.destinations && dropped.length + ordered.size === 0 && !round.isHeld;
  if (!isUsual) return capturedDeliveries(capture);
  target.usual ??= capturedDeliveries(capture);
  return target.usual;
}
