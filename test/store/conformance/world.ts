import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Destination, Endpoint, EventSummary, User } from '../../../src/core/model.ts';
import type { JudgingSettings, Verdict } from '../../../src/core/rules/verdict.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import {
  DEFAULT_ENDPOINT_SETTINGS,
  type EndpointSettings,
} from '../../../src/core/settings/endpoint-settings.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../../src/store/contract/claims.ts';
import type { NewDestination } from '../../../src/store/contract/destinations.ts';
import type { EndpointPatch } from '../../../src/store/contract/endpoints.ts';
import type { AppendBatchResult, EventFilter } from '../../../src/store/contract/events.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { until } from '../../fixtures/until.ts';
import { verdictOf } from '../../fixtures/verdict.ts';

/** What a backend gives the suite: a new, empty store. */
export interface OpenedStore {
  store: Store;
  /** Closes it as a server does, and opens the same data again. */
  reopen(): Promise<Store>;
  /** Closes it, if it is open, and deletes its data. */
  close(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** 2026-08-01T00:00:00Z. Time is a parameter of the store, so the suite has its own. */
export const START = Date.UTC(2026, 7, 1);
export const LEASE_MS = 60_000;

export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

/** A request as tests write it: text for the body, and only what matters. */
export type RequestPatch = Partial<Omit<CapturedRequest, 'body'>> & {
  body?: BorrowedBody | Uint8Array | string;
};

/** The outcome of a delivery. `retryInMs`: the delivery is tried again after that time. */
export type Outcome = 'succeeded' | 'dead' | { retryInMs: number };

export type GivenEndpoint = Omit<Endpoint, 'key' | 'settings'> & EndpointSettings;

/** A change of settings, at a time that matters for `expect_every` only. */
export function settingsPatch(settings: Partial<EndpointSettings>, now = START) {
  return { settings, now } satisfies EndpointPatch;
}

/** A change of what requests are judged by. */
export function proofPatch({
  dedupe,
  ...source
}: Partial<Pick<JudgingSettings, 'source' | 'dedupe'>>): EndpointPatch {
  return dedupe === undefined ? source : { ...source, ...settingsPatch({ dedupe }) };
}

/** An endpoint with other settings. */
export function withSettings(endpoint: Endpoint, settings: Partial<EndpointSettings>): Endpoint {
  return { ...endpoint, settings: { ...endpoint.settings, ...settings } };
}

/** Default URL of a destination. */
const urlOf = (destinationId: string) => `https://${destinationId}.example.com/hook`;

/** A store with a clock of its own, and shorthand for what tests need in it. */
export class World {
  now = START;
  store: Store;
  readonly #opened: OpenedStore;
  readonly #endpoints: Endpoint[] = [];
  readonly #users: string[] = [];

  constructor(opened: OpenedStore) {
    this.#opened = opened;
    this.store = opened.store;
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  async reopen(): Promise<void> {
    this.store = await this.#opened.reopen();
    this.#opened.store = this.store;
  }

  /** Removes its endpoints and the channels of its accounts, with all that they have. */
  async clear(): Promise<void> {
    const { channels } = this.store;
    for (const userId of this.#users) {
      for (const { id } of await channels.list(userId)) await channels.remove(userId, id, this.now);
    }
    for (const { key } of this.#endpoints) await this.store.endpoints.remove(key, this.now);
    while ((await this.store.upkeep.purgeSlice(1000)).more);
  }

  async user(patch: Partial<User> = {}): Promise<User> {
    const id = newId('usr', this.now);
    const user: User = { id, email: `${id}@example.com`, plan: 'free', ...patch };
    await this.store.accounts.createUser({ ...user, passwordHash: 'hash', createdAt: this.now });
    this.#users.push(id);
    return user;
  }

  /** @param given its settings too, beside what else it has */
  async endpoint(given: Partial<GivenEndpoint> = {}): Promise<Endpoint> {
    const id = newId('ep', this.now);
    const {
      userId = (await this.user()).id,
      publicToken = `token-of-${id}`,
      source = null,
      createdAt = this.now,
      ...settings
    } = given;
    const endpoint = await this.store.endpoints.create(
      {
        ...{ id, userId, publicToken, source, createdAt },
        settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'orders', ...settings },
      },
      MANY,
    );
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  async destination(endpoint: Endpoint, patch: Partial<NewDestination> = {}): Promise<Destination> {
    const id = newId('dst', this.now);
    const destination = await this.store.destinations.add(
      endpoint.key,
      {
        id,
        url: urlOf(id),
        sealedSecret: null,
        sealedHeaders: null,
        settings: DEFAULT_DESTINATION_SETTINGS,
        createdAt: this.now,
        ...patch,
      },
      MANY,
    );
    if (!destination) throw new Error('the endpoint is gone');
    return destination;
  }

  request(endpoint: Endpoint, { body = '', ...patch }: RequestPatch = {}): CapturedRequest {
    return {
      id: newId('evt', this.now),
      publicToken: endpoint.publicToken,
      method: 'POST',
      path: '',
      query: '',
      rawHeaders: [],
      body: body instanceof BorrowedBody ? body : new BorrowedBody(Buffer.from(body)),
      contentType: null,
      sourceIp: '192.0.2.1',
      receivedAt: this.now,
      provider: null,
      eventType: null,
      ...patch,
    };
  }

  /** The filters by which the endpoint's captures must be judged; null where they need no verdict. */
  async judgeBy(endpoint: Endpoint): Promise<JudgingSettings | null> {
    const result = only((await this.capture(endpoint, [{}])).results);
    if (result.stored) return null;
    if (result.reason !== 'stale') throw new Error(`refused: ${result.reason}`);
    return result.judgeBy;
  }

  /** A verdict by the endpoint's settings of now, which ask for one. */
  async verdict(endpoint: Endpoint, patch: Partial<Verdict> = {}): Promise<Verdict> {
    const { version } = (await this.judgeBy(endpoint)) as JudgingSettings;
    return verdictOf({ version, ...patch });
  }

  /** An event that the filters of these destinations drop. */
  async droppedEvent(
    endpoint: Endpoint,
    destinationKeys: readonly number[],
  ): Promise<EventSummary> {
    const { version, filters } = (await this.judgeBy(endpoint)) as JudgingSettings;
    const dropped = filters.filter((filter) => destinationKeys.includes(filter.destinationKey));
    const result = only(
      (await this.capture(endpoint, [{ verdict: verdictOf({ version, dropped }) }])).results,
    );
    if (!result.stored) throw new Error(`not stored: ${result.reason}`);
    return result.event;
  }

  /** Captures requests of one endpoint in one batch, claiming by `terms`. */
  capture(
    endpoint: Endpoint,
    patches: readonly RequestPatch[],
    terms: ClaimTerms = CLAIM_NOTHING,
  ): Promise<AppendBatchResult> {
    const requests = patches.map((patch) => this.request(endpoint, patch));
    return this.store.events.appendBatch(requests, terms);
  }

  /** Like `capture`, but claims nothing and returns the events. */
  async events(endpoint: Endpoint, patches: readonly RequestPatch[]): Promise<EventSummary[]> {
    const { results } = await this.capture(endpoint, patches);
    return results.map((result) => {
      if (!result.stored) throw new Error(`not stored: ${result.reason}`);
      return result.event;
    });
  }

  async event(endpoint: Endpoint, patch: RequestPatch = {}): Promise<EventSummary> {
    const [event] = await this.events(endpoint, [patch]);
    return event as EventSummary;
  }

  /** Terms that claim everything, for a minute from now. */
  terms(patch: Partial<ClaimTerms> = {}): ClaimTerms {
    return { leaseUntil: this.now + LEASE_MS, limit: 1000, skip: new Set(), ...patch };
  }

  claimDue(
    patch: Partial<ClaimTerms & { perDestination: number }> = {},
  ): Promise<ClaimedDelivery[]> {
    return this.store.queue.claimDue(this.now, { perDestination: 1000, ...this.terms(), ...patch });
  }

  settlement(claim: ClaimedDelivery, outcome: Outcome, patch: Partial<Settlement> = {}) {
    const succeeded = outcome === 'succeeded';
    return {
      claim,
      attempt: {
        id: newId('att', this.now),
        destinationUrl: urlOf(claim.destination.id ?? 'one-off'),
        responseCode: succeeded ? 200 : 500,
        responseHeaders: [['Server', 'nginx']],
        responseBody: succeeded ? 'ok' : 'no',
        responseTruncated: false,
        durationMs: 12,
        error: null,
        attemptedAt: this.now,
        requestHeaders: null,
        ruleVersion: 0,
      },
      timedOut: false,
      reach: 'answered',
      holdMs: null,
      next:
        typeof outcome === 'string'
          ? { state: outcome }
          : { state: 'pending', nextAttemptAt: this.now + outcome.retryInMs },
      ...patch,
    } satisfies Settlement;
  }

  async settle(claim: ClaimedDelivery, outcome: Outcome) {
    const [settled] = await this.store.queue.settle([this.settlement(claim, outcome)], BREAKER);
    return settled ?? null;
  }

  /** All events of an endpoint that match, newest first. */
  async listed(endpoint: Endpoint, filter: EventFilter = {}): Promise<EventSummary[]> {
    const window = { offset: 0, limit: 10_000, typesInBodies: true };
    const { events, total } = await this.store.events.list(
      { endpointKeys: [endpoint.key] },
      filter,
      window,
    );
    expect(total).toBe(events.length);
    return events;
  }

  async status(endpoint: Endpoint, event: EventSummary): Promise<string | undefined> {
    return (await this.store.events.find(endpoint.key, event.id))?.status;
  }

  /** Waits until the search index holds every event. */
  indexed(): Promise<boolean> {
    return until('all is indexed', async () => {
      return (await this.store.stats(this.now)).indexLag === 0;
    });
  }
}

/** A world for one test with its own store, which the test may reopen. */
export async function newWorld(open: OpenStore): Promise<World> {
  const world = new World(await open());
  onTestFinished(() => world.close());
  return world;
}

/** Stores that the describes of a suite share: to open one costs more than most tests. */
interface SharedStores {
  /** Each test removes its endpoints. */
  cleared?: Promise<OpenedStore> | undefined;
  /** Tests read only their own accounts and endpoints. */
  own?: Promise<OpenedStore> | undefined;
}

const sharedStores = new Map<OpenStore, SharedStores>();

/** Opens the store with the first describe that uses it. `closeSharedStores` closes it. */
function sharedStore(open: OpenStore, kind: keyof SharedStores): Promise<OpenedStore> {
  const stores = sharedStores.get(open) ?? {};
  sharedStores.set(open, stores);
  stores[kind] ??= open();
  return stores[kind];
}

/** Closes the stores that the tests of the `describe` around it shared, after all of them. */
export function closeSharedStores(open: OpenStore): void {
  afterAll(async () => {
    const { cleared, own } = sharedStores.get(open) ?? {};
    sharedStores.delete(open);
    for (const opened of [cleared, own]) await (await opened)?.close();
  });
}

/**
 * A world for each test, in a store that tests share and may reopen. When a test ends, its
 * endpoints are removed and purged, so that the next test finds nothing to claim, list or
 * replay.
 */
export function clearedWorlds(open: OpenStore): () => Promise<World> {
  return async () => {
    const world = new World(await sharedStore(open, 'cleared'));
    onTestFinished(() => world.clear());
    return world;
  };
}

/**
 * One world for all tests of a `describe`, which read only their own accounts and
 * endpoints.
 */
export function sharedWorld(open: OpenStore): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = new World(await sharedStore(open, 'own'));
  });
  return () => world as World;
}

/** The one element of a list that has one. */
export function only<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1);
  return list[0] as T;
}
