import type { Database, Statement } from 'better-sqlite3';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { EndpointSettings } from '../../../core/settings/endpoint-settings.ts';
import type { ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import { statusCode, unjudgedCode } from '../../shared/codes.ts';
import { Columns } from '../../shared/columns.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointSettingsOf,
  judgedOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { FILTERED_EVENT, NEW_EVENT } from '../../shared/events/event-columns.ts';
import {
  isStaleVerdict,
  type JudgedEndpoint,
  passedBy,
  storedDrops,
} from '../../shared/events/filtered-events.ts';
import { proofColumns, sourceOf } from '../../shared/events/stored-proof.ts';
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

interface CaptureInProgress {
  row: EndpointRow;
  settings: EndpointSettings;
  judged: JudgedEndpoint;
  of: CapturedFor;
  destinations: ClaimedDestination[];
  judgeBy?: JudgingSettings;
}

type Result = AppendedBatch['results'][number];

/** What one operation collects and applies at its end. */
interface Effects {
  handover: ClaimCollector;
  changes: CountChanges;
  /** Keys of endpoints that have got a rejected request. */
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
      const targets = new Map<string, CaptureInProgress | null>();
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

  #append(request: RequestRows, target: CaptureInProgress | null, effects: Effects): Result {
    if (!target) return { stored: false, reason: 'endpoint_not_found' };
    if (!target.settings.is_active) return { stored: false, reason: 'endpoint_inactive' };
    if (isStaleVerdict(request.verdict, target.judged)) {
      return { stored: false, reason: 'stale', judgeBy: this.#judgeBy(target) };
    }
    const { endpointKey } = target.of;
    if (request.verdict?.refused) {
      // One that is accepted is kept already.
      if (request.verdict.refused.keep && request.accepts === undefined) {
        this.#rejected.add(endpointKey, request);
        effects.rejectedAt.add(endpointKey);
      }
      return { stored: false, reason: 'signature_invalid' };
    }
    if (request.accepts !== undefined && !this.#rejected.take(endpointKey, request.accepts)) {
      return { stored: false, reason: 'rejected_not_found' };
    }
    return this.#insert(request, target, effects);
  }

  #target(publicToken: string): CaptureInProgress | null {
    const row = this.#endpoint.get(publicToken);
    if (!row) return null;
    const settings = endpointSettingsOf(row.settings);
    return {
      settings,
      judged: judgedOf(row, settings),
      of: {
        userId: row.userId,
        endpointKey: row.key,
        endpointId: row.id,
        response: settings.response,
      },
      row,
      destinations: this.#rounds.destinations(row.key),
    };
  }

  /** One object for all of a batch's requests to the endpoint: a message clones it once. */
  #judgeBy(target: CaptureInProgress): JudgingSettings {
    const { of, judged, row, settings } = target;
    target.judgeBy ??= {
      userId: of.userId,
      version: judged.settingsVersion,
      endpointId: of.endpointId,
      source: sourceOf(row),
      dedupe: settings.dedupe,
      filters: this.#rules.filtersOf(of.endpointKey),
    };
    return target.judgeBy;
  }

  #insert(
    request: RequestRows,
    { of, settings, destinations }: CaptureInProgress,
    { handover, changes }: Effects,
  ): AppendedEvent {
    const { verdict } = request;
    const { endpointKey } = of;
    const unjudged = verdict?.unjudged ?? null;
    const { body, uncompressed_size: uncompressedSize } = storedBody(request.body);
    const { query, headers } = request;
    const { lastInsertRowid } = this.#insertContent.run(
      ...CONTENT.values({ endpointKey, query, headers, body, uncompressedSize }),
    );
    const seq = Number(lastInsertRowid);
    const duplicate = verdict?.once
      ? this.#first.claim({ endpointKey, seq, eventId: request.id }, verdict.once)
      : undefined;
    const dropped = duplicate ? [] : (verdict?.dropped ?? []);
    const isDelivered = !duplicate && !verdict?.handshake;
    const passed = isDelivered ? passedBy(destinations, dropped) : [];
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
        open: passed.length,
        editedFrom: request.editedFrom ?? null,
        verification,
        proof,
        duplicateOf: duplicate?.of ?? null,
        duplicateConflict: duplicate?.isConflicting ?? null,
        unjudged: unjudgedCode(unjudged),
      }),
    );
    if (dropped.length > 0) {
      const drops = storedDrops(dropped, request.receivedAt);
      this.#insertDrops.run(
        ...FILTERED_EVENT.values({ endpointKey, eventSeq: seq, dropped: drops }),
      );
    }
    changes.add(endpointKey, 'received', 1);
    this.#rounds.open(
      {
        endpointKey,
        seq,
        eventId: request.id,
        round: 1,
        trigger: 'capture',
        now: request.receivedAt,
        size: request.body.length,
        orderKeys: verdict?.orderKeys ?? [],
        isHeld: unjudged !== null && settings.on_unjudged === 'hold',
        jobKey: null,
      },
      passed,
      handover,
    );
    return duplicate ? { seq, of, duplicate } : { seq, of };
  }
}
