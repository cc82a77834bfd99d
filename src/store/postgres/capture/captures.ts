import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../../contract/events.ts';
import { captureRound } from '../../shared/capture/captured-event.ts';
import {
  type CapturingEndpoint,
  isKept,
  isStale,
  judgeByOf,
  refusalOf,
  sharesOf,
  targetOf,
} from '../../shared/capture/capturing-endpoint.ts';
import type { RowOf } from '../../shared/columns.ts';
import { ENDPOINT_COLUMNS, type EndpointRow } from '../../shared/endpoints/stored-endpoint.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { FILTERED_EVENT } from '../../shared/events/event-columns.ts';
import { capturedDeliveries } from '../../shared/events/event-deliveries.ts';
import { storedDrops, storedUncomparable } from '../../shared/events/filtered-events.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { takeNumbers } from '../cluster/tickets.ts';
import { BodyColumn } from '../connection/body-column.ts';
import type { Sql } from '../connection/database.ts';
import { GATE_SQL } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { filtersOf } from '../destinations/destination-rules.ts';
import { applyCounts } from '../events/event-counts.ts';
import { lockOrders, OpenOrders } from '../queue/order-turns.ts';
import type { NewDelivery, Rounds } from '../queue/rounds.ts';
import { Accepted } from '../rejected/accepted.ts';
import { storeRejected } from '../rejected/rejected-requests.ts';
import { batchValues, type CapturedRow, INSERT_BATCH, storedCapture } from './captured-event.ts';
import { FirstEvents, type KeyClaim } from './first-events.ts';

const INSERT_DROPS = `
  INSERT INTO filtered_events (${FILTERED_EVENT.names})
  SELECT * FROM ${FILTERED_EVENT.unnest('v')}`;

type Refusal = Extract<AppendResult, { stored: false }>;

/** A request and its endpoint. `refusal` is null if the request is stored. */
interface Entry {
  request: CapturedRequest;
  seq: number;
  endpoint: CapturingEndpoint | undefined;
  refusal: Refusal | null;
}

interface Admitted extends Entry {
  endpoint: CapturingEndpoint;
  refusal: null;
}

/**
 * Stores requests in the caller's transaction (see `EventStore.appendBatch`). After the commit, the
 * caller passes `opened` to `Rounds.noteOpened`.
 */
export async function appendCaptures(
  sql: Sql,
  rounds: Rounds,
  requests: readonly CapturedRequest[],
  terms: ClaimTerms,
): Promise<AppendBatchResult & { opened: NewDelivery[] }> {
  const tokens = [...new Set(requests.map(({ publicToken }) => storable(publicToken)))];
  await lockOrdersOf(sql, requests, tokens);
  const seqs = await takeNumbers(sql, 'event_seqs', requests.length, {
    sql: gatesOf('$2'),
    values: [tokens],
  });
  // These rows don't change until the commit, because `takeNumbers` has passed the endpoints'
  // gates.
  const rows = await sql.rows<EndpointRow>(
    `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p WHERE p.public_token = ANY($1)`,
    [tokens],
    'endpoints by token',
  );
  const endpoints = rows.map(targetOf);
  const destinations = await rounds.destinations(
    sql,
    endpoints.map(({ key }) => key),
  );
  const entries = await judged(sql, requests, seqs, endpoints);
  const accepted = await Accepted.take(sql, acceptedBy(entries));
  for (const entry of entries) {
    const { accepts } = entry.request;
    if (entry.refusal || accepts === undefined || accepted.accept(accepts)) continue;
    entry.refusal = { stored: false, reason: 'rejected_not_found' };
  }
  const admitted = entries.filter(isAdmitted);
  const keys = await FirstEvents.claim(sql, admitted.flatMap(claimOf));
  const firstOf = (entry: Admitted) =>
    claimOf(entry).map((claim) => keys.firstOf(claim))[0] ?? null;
  // Requests without an order key need no statement. Duplicates aren't delivered, so their order
  // keys don't count.
  const orderKeys = admitted.flatMap((entry) =>
    firstOf(entry) === null ? (entry.request.verdict?.orderKeys ?? []) : [],
  );
  const orders = await OpenOrders.read(sql, orderKeys);
  const handover = new ClaimCollector(terms);
  const changes = new CountChanges();
  const bodies = new BodyColumn();
  const events: CapturedRow[] = [];
  const opened: NewDelivery[] = [];
  const drops: RowOf<typeof FILTERED_EVENT>[] = [];
  const results = entries.map((entry): AppendResult => {
    if (!isAdmitted(entry)) return entry.refusal as Refusal;
    const { request, endpoint, seq } = entry;
    const first = firstOf(entry);
    const { takers, dropped } = sharesOf(
      request,
      first !== null,
      destinations.get(endpoint.key) ?? [],
    );
    const { event, row } = storedCapture(
      { request, endpoint, seq, open: takers.length, first },
      bodies,
    );
    events.push(row);
    changes.add(endpoint.key, 'received', 1);
    if (dropped.length > 0) {
      drops.push({
        endpointKey: endpoint.key,
        eventSeq: seq,
        dropped: storedDrops(dropped, event.receivedAt),
        uncomparable: storedUncomparable(dropped),
      });
    }
    const round = captureRound(request, endpoint.key, seq, endpoint.settings);
    const ordered = rounds.open(round, takers, handover, opened, orders);
    return {
      stored: true,
      userId: endpoint.userId,
      endpointKey: endpoint.key,
      response: endpoint.settings.response,
      event: { ...event, ...capturedDeliveries({ takers, dropped, ordered, round }) },
    };
  });
  if (events.length > 0) {
    await sql.run(INSERT_BATCH, batchValues(bodies, events, opened), 'append');
  }
  if (drops.length > 0)
    await sql.run(INSERT_DROPS, FILTERED_EVENT.arrays(drops), 'append filtered');
  await storeRejected(sql, entries.flatMap(keptOf));
  await applyCounts(sql, changes);
  const { claimed, unclaimed } = handover;
  return { results, claimed, unclaimed, opened };
}

const gatesOf = (tokens: string) =>
  `SELECT ${GATE_SQL} FROM endpoints p WHERE p.public_token = ANY(${tokens})`;

/**
 * Locks the order keys of the requests. Call it before `takeNumbers`, because it may wait, and
 * readers can't pass the numbers of an open transaction. Gates come before order keys in the order
 * of locks (see `Rounds`).
 */
async function lockOrdersOf(
  sql: Sql,
  requests: readonly CapturedRequest[],
  tokens: readonly string[],
): Promise<void> {
  const orderKeys = requests.flatMap(({ verdict }) => verdict?.orderKeys ?? []);
  if (orderKeys.length === 0) return;
  await sql.rows(gatesOf('$1'), [tokens], 'gates by token');
  await lockOrders(sql, orderKeys);
}

/** Returns the requests with their refusals by the current settings of the endpoints. */
async function judged(
  sql: Sql,
  requests: readonly CapturedRequest[],
  seqs: readonly number[],
  endpoints: readonly CapturingEndpoint[],
): Promise<Entry[]> {
  const stale = endpoints.filter((row) =>
    requests.some(
      ({ publicToken, verdict }) => publicToken === row.publicToken && isStale(verdict, row),
    ),
  );
  const judgeBy = await settingsOf(sql, stale);
  const byToken = new Map(endpoints.map((row) => [row.publicToken, row]));
  return requests.map((request, i) => {
    const endpoint = byToken.get(request.publicToken);
    const refusal = refusalBy(request, endpoint, judgeBy);
    return { request, seq: seqs[i] as number, endpoint, refusal };
  });
}

function refusalBy(
  { verdict }: CapturedRequest,
  endpoint: CapturingEndpoint | undefined,
  judgeBy: ReadonlyMap<number, JudgingSettings>,
): Refusal | null {
  if (!endpoint) return { stored: false, reason: 'endpoint_not_found' };
  const reason = refusalOf(verdict, endpoint);
  if (reason !== 'stale') return reason && { stored: false, reason };
  return { stored: false, reason, judgeBy: judgeBy.get(endpoint.key) as JudgingSettings };
}

/** Returns the current judging settings by endpoint key. */
async function settingsOf(
  sql: Sql,
  endpoints: readonly CapturingEndpoint[],
): Promise<Map<number, JudgingSettings>> {
  if (endpoints.length === 0) return new Map();
  const keys = endpoints.map(({ key }) => key);
  const filters = Map.groupBy(await filtersOf(sql, keys), ({ endpointKey }) => endpointKey);
  return new Map(
    endpoints.map((row) => {
      const own = (filters.get(row.key) ?? []).map(({ endpointKey, ...filter }) => filter);
      return [row.key, judgeByOf(row, own)];
    }),
  );
}

function isAdmitted(entry: Entry): entry is Admitted {
  return entry.refusal === null;
}

function acceptedBy(entries: readonly Entry[]): { endpointKey: number; id: string }[] {
  return entries
    .filter(isAdmitted)
    .flatMap(({ request: { accepts: id }, endpoint }) =>
      id === undefined ? [] : [{ endpointKey: endpoint.key, id }],
    );
}

function claimOf({ request, endpoint, seq }: Admitted): KeyClaim[] {
  const once = request.verdict?.once ?? null;
  return once === null ? [] : [{ endpointKey: endpoint.key, once, seq, eventId: request.id }];
}

function keptOf({ request, endpoint, refusal, seq }: Entry) {
  return refusal?.reason === 'signature_invalid' && endpoint && isKept(request)
    ? [{ request, endpointKey: endpoint.key, seq }]
    : [];
}
