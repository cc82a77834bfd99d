import type { DeliveryState, EventStatus } from '../../../src/core/model.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';

/*
 * A model of a store's events, rounds and deliveries, by the design's words and without
 * a database. The ledger test compares a backend with it.
 */

export interface ModelDelivery {
  destinationKey: number;
  round: number;
  state: DeliveryState;
  attempts: number;
  dueAt: number;
  /** The live claim's token. */
  token: number | null;
  leaseUntil: number;
}

export interface ModelEvent {
  seq: number;
  id: string;
  receivedAt: number;
  round: number;
  /** The round of the last capture or replay to all. */
  countedFrom: number;
  deliveries: ModelDelivery[];
  attemptIds: Set<string>;
}

export interface ModelEndpoint {
  key: number;
  destinationKeys: number[];
  oneOffKeys: Set<number>;
  /** Oldest first. */
  events: ModelEvent[];
}

export class LedgerModel {
  readonly endpoints = new Map<number, ModelEndpoint>();

  eventOf(claim: ClaimedDelivery): ModelEvent | undefined {
    const endpoint = this.endpoints.get(claim.endpointKey);
    return endpoint?.events.find(({ seq }) => seq === claim.eventSeq);
  }

  deliveryOf(claim: ClaimedDelivery): ModelDelivery | undefined {
    return this.eventOf(claim)?.deliveries.find(
      ({ round, destinationKey }) =>
        round === claim.round && destinationKey === claim.destination.key,
    );
  }

  /** @param targets keys of the only destinations; all of the endpoint's where it is left out */
  openRound(
    endpoint: ModelEndpoint,
    event: ModelEvent,
    now: number,
    targets?: readonly number[],
  ): void {
    const keys = targets ?? endpoint.destinationKeys;
    for (const delivery of event.deliveries) {
      const isSuperseded = keys.includes(delivery.destinationKey);
      if (delivery.state === 'pending' && isSuperseded) close(delivery, 'cancelled');
    }
    event.round++;
    if (!targets) event.countedFrom = event.round;
    for (const destinationKey of keys) {
      event.deliveries.push({
        destinationKey,
        round: event.round,
        state: 'pending',
        attempts: 0,
        dueAt: now,
        token: null,
        leaseUntil: 0,
      });
    }
  }

  claim(claim: ClaimedDelivery, leaseUntil: number): void {
    const delivery = this.deliveryOf(claim);
    if (!delivery) throw new Error(`delivery ${claim.id} was never created`);
    delivery.token = claim.token;
    delivery.leaseUntil = leaseUntil;
  }

  isLive(claim: ClaimedDelivery): boolean {
    return this.deliveryOf(claim)?.token === claim.token;
  }

  settle(
    claim: ClaimedDelivery,
    attemptId: string,
    state: DeliveryState,
    dueAt: number,
  ): EventStatus | null {
    const event = this.eventOf(claim);
    const delivery = this.deliveryOf(claim);
    if (!event || !delivery) return null;
    event.attemptIds.add(attemptId);
    if (delivery.token === claim.token) {
      delivery.attempts++;
      delivery.dueAt = dueAt;
      if (state === 'pending') delivery.token = null;
      else close(delivery, state);
    }
    return statusOf(event, this.endpoints.get(claim.endpointKey)?.oneOffKeys);
  }

  /**
   * Due times of the deliveries that can be claimed at `now`, by destination, longest
   * due first.
   */
  claimable(now: number): Map<number, number[]> {
    const byDestination = new Map<number, number[]>();
    for (const endpoint of this.endpoints.values()) {
      for (const { deliveries } of endpoint.events) {
        for (const { state, dueAt, token, leaseUntil, destinationKey } of deliveries) {
          const isHeld = token !== null && leaseUntil > now;
          if (state !== 'pending' || dueAt > now || isHeld) continue;
          const dueTimes = byDestination.get(destinationKey) ?? [];
          byDestination.set(
            destinationKey,
            [...dueTimes, dueAt].sort((a, b) => a - b),
          );
        }
      }
    }
    return byDestination;
  }
}

/** The newest delivery to each destination since the last replay to all. */
export function newestOf({ countedFrom, deliveries }: ModelEvent): ModelDelivery[] {
  const newest = new Map<number, ModelDelivery>();
  for (const delivery of deliveries) {
    if (delivery.round >= countedFrom) newest.set(delivery.destinationKey, delivery);
  }
  return [...newest.values()];
}

export function close(delivery: ModelDelivery, state: DeliveryState): void {
  delivery.state = state;
  delivery.token = null;
}

/**
 * "Each destination's newest delivery since the last replay to all: all succeeded (and at
 * least one): delivered; none open and at least one dead: dead_letter; at least one
 * failed attempt or dead delivery: failed; otherwise received." Cancelled ones and those
 * to one-off URLs don't count.
 */
export function statusOf(event: ModelEvent, oneOffKeys?: ReadonlySet<number>): EventStatus {
  const latest = newestOf(event).filter(
    ({ destinationKey, state }) => state !== 'cancelled' && !oneOffKeys?.has(destinationKey),
  );
  const has = (state: DeliveryState) => latest.some((one) => one.state === state);
  if (latest.length > 0 && latest.every(({ state }) => state === 'succeeded')) return 'delivered';
  if (!has('pending') && has('dead')) return 'dead_letter';
  const hasFailed = latest.some(({ state, attempts }) =>
    state === 'succeeded' ? attempts > 1 : attempts > 0,
  );
  return hasFailed ? 'failed' : 'received';
}
