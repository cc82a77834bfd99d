import type { Attempt, Delivery, DeliveryError, Endpoint, EventSummary } from '../../core/model.ts';
import { providerOf } from '../../providers/providers.ts';
import { resignerOf } from '../../providers/resign.ts';
import { headerOf } from '../../providers/signing/signed-request.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { DestinationCondition, DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { LiveStore } from '../../store/contract/live.ts';
import { eventFailure } from '../event-input.ts';
import {
  type Case,
  type CaseCondition,
  type CaseDelivery,
  type Neighbour,
  succeeded,
} from './case.ts';

/** Attempts that are read before, and after, the event's last attempt. */
const WINDOW_ROWS = 150;
/** At most this many neighbours. Each needs a lookup of its event's size. */
const MAX_NEIGHBOURS = 40;
/** At most this many lookups of each kind. */
const MAX_LOOKUPS = 10;

export interface CaseStores {
  events: Pick<EventStore, 'find' | 'attempts' | 'deliveries' | 'content'>;
  destinations: Pick<DestinationStore, 'list' | 'conditions'>;
  deliveries: Pick<DeliveryStore, 'find' | 'holder'>;
  live: Pick<LiveStore, 'attemptsAfter'>;
}

/**
 * Reads a case by lookups and one bounded range of rows. So the cost doesn't grow with the
 * database.
 */
export async function loadCase(
  event: EventSummary,
  endpoint: Endpoint,
  stores: CaseStores,
  terms: { now: number; limits: Case['limits'] },
): Promise<Case> {
  const [allAttempts, allDeliveries, destinations] = await Promise.all([
    stores.events.attempts(event.seq),
    stores.events.deliveries(event.seq, terms.now),
    stores.destinations.list(endpoint.key),
  ]);
  const attempts = allAttempts.filter(isToDestination);
  const deliveries = await withCauses(
    allDeliveries.filter(isToDestination),
    endpoint,
    stores,
    terms.now,
  );
  const conditions = await conditionsOf(deliveries, endpoint, stores, terms.now);
  return {
    ...terms,
    event: { ...event, ...(await proofIn(event, endpoint, stores)) },
    endpoint: { id: endpoint.id, isActive: endpoint.settings.is_active },
    destinations: destinations.map(({ id, url, sealedSecret, createdAt, settings }) => ({
      id,
      url,
      isSigned: sealedSecret !== null,
      createdAt,
      settings,
      condition: conditions.get(id) ?? null,
    })),
    deliveries,
    attempts,
    neighbours: await neighboursOf(attempts, endpoint, event, stores),
  };
}

/**
 * Returns the provider's signature, and why the verification failed. Reads the event's request,
 * because it has the signature and says when it was signed.
 */
async function proofIn(
  event: EventSummary,
  { source }: Endpoint,
  { events }: CaseStores,
): Promise<Pick<Case['event'], 'failure' | 'signature'>> {
  const { verification } = event;
  const provider = verification.provider ?? event.provider;
  const { header } = providerOf(provider)?.signature ?? {};
  const isFailed = verification.state === 'failed';
  if (!isFailed && header === undefined) return { failure: null, signature: null };
  const content = await events.content(event.seq);
  if (!content) return { failure: null, signature: null };
  const isVerified = verification.state === 'verified';
  const isPresent = header !== undefined && headerOf(content, header) !== null;
  return {
    failure: isFailed ? eventFailure(event, content, source) : null,
    signature:
      provider && isPresent
        ? {
            ...{ provider, header, isVerified },
            canResign: isVerified && source?.provider === provider && resignerOf(provider) !== null,
          }
        : null,
  };
}

type ToDestination<T> = T & { destinationId: string };

/** Returns false for a one-off URL, which has no settings to change. */
function isToDestination<T extends { destinationId: string | null }>(
  one: T,
): one is ToDestination<T> {
  return one.destinationId !== null;
}

/**
 * Adds why deliveries died and which delivery they wait for. Lists of deliveries don't contain
 * this.
 */
async function withCauses(
  deliveries: readonly ToDestination<Delivery>[],
  { userId }: Endpoint,
  stores: CaseStores,
  now: number,
): Promise<CaseDelivery[]> {
  const dead = deliveries.filter(({ state }) => state === 'dead').slice(0, MAX_LOOKUPS);
  const held = new Set<string>();
  for (const { id } of dead) {
    const found = await stores.deliveries.find(userId, id, now);
    if (found?.delivery.error?.code === 'held_too_long') held.add(id);
  }
  const behind = new Map<string, CaseDelivery['behind']>();
  const waiting = deliveries.filter(({ waitsFor }) => waitsFor === 'order').slice(0, MAX_LOOKUPS);
  for (const { id } of waiting) {
    const holder = await stores.deliveries.holder(id);
    const first = holder && (await stores.deliveries.find(userId, holder.id, now));
    if (first) behind.set(id, { orderKey: holder.orderKey, first: first.delivery });
  }
  return deliveries.map((delivery) => ({
    ...delivery,
    behind: behind.get(delivery.id) ?? null,
    endedBy: held.has(delivery.id) ? 'held_too_long' : null,
  }));
}

/**
 * Returns the conditions of the destinations that have an open delivery of the event, or one that
 * was held for too long.
 */
async function conditionsOf(
  deliveries: readonly CaseDelivery[],
  endpoint: Endpoint,
  stores: CaseStores,
  now: number,
): Promise<Map<string, CaseCondition>> {
  const concerned = deliveries.filter(({ state, endedBy }) => state === 'pending' || endedBy);
  const ids = new Set(concerned.map(({ destinationId }) => destinationId));
  if (ids.size === 0) return new Map();
  const [only] = ids;
  const one = ids.size === 1 && only !== undefined ? only : null;
  const found = await stores.destinations.conditions(endpoint.key, one);
  const conditions = new Map<string, CaseCondition>();
  for (const condition of found.filter(({ destinationId }) => ids.has(destinationId))) {
    const { destinationId, flow, waiting } = condition;
    const isAsked = flow.breaker !== null && conditions.size < MAX_LOOKUPS;
    const lastError = isAsked ? await lastErrorOf(condition, endpoint, stores, now) : null;
    conditions.set(destinationId, { flow, waiting, lastError });
  }
  return conditions;
}

/**
 * Returns the error of the last probe. If there was no probe, returns the error of a failure that
 * opened the breaker.
 */
async function lastErrorOf(
  { destinationId, flow: { breaker, failing } }: DestinationCondition,
  { userId }: Endpoint,
  { deliveries, events }: CaseStores,
  now: number,
): Promise<DeliveryError | null> {
  if (breaker?.last) {
    const probed = await deliveries.find(userId, breaker.last.deliveryId, now);
    const error = probed?.delivery.error;
    if (error && error.code !== 'held_too_long') return error;
  }
  const seq = failing?.events.at(-1);
  const attempts = seq === undefined ? [] : await events.attempts(seq);
  const last = attempts.findLast((attempt) => attempt.destinationId === destinationId);
  if (!last || succeeded(last)) return null;
  const { error, responseCode } = last;
  return error ?? { code: 'http_status', message: `The receiver answered ${responseCode}.` };
}

async function neighboursOf(
  own: readonly Attempt[],
  endpoint: Endpoint,
  event: EventSummary,
  { events, live }: CaseStores,
): Promise<Neighbour[]> {
  const last = own.at(-1);
  if (!last || own.every(succeeded)) return [];
  const from = Math.max(0, last.seq - WINDOW_ROWS);
  const found = await live.attemptsAfter({ endpointKeys: [endpoint.key] }, from, 2 * WINDOW_ROWS);
  const others = found.attempts
    .map(({ attempt }) => attempt)
    .filter(isToDestination)
    .filter(({ eventId }) => eventId !== event.id)
    .slice(-MAX_NEIGHBOURS);
  const sizes = new Map<string, number>();
  for (const eventId of new Set(others.map(({ eventId }) => eventId))) {
    const other = await events.find(endpoint.key, eventId);
    if (other) sizes.set(eventId, other.size);
  }
  return others.flatMap((attempt) => {
    const size = sizes.get(attempt.eventId);
    const { destinationId, attemptedAt, durationMs } = attempt;
    const isSuccess = succeeded(attempt);
    return size === undefined ? [] : [{ destinationId, attemptedAt, durationMs, isSuccess, size }];
  });
}
