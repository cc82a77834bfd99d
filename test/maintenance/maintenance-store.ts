import path from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { BorrowedBody } from '../../src/core/http/borrowed-body.ts';
import { newId } from '../../src/core/ids.ts';
import type { Endpoint } from '../../src/core/model.ts';
import { systemClock } from '../../src/core/runtime/runtime.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../src/core/settings/endpoint-settings.ts';
import type { Settlement } from '../../src/store/contract/queue.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { BREAKER } from '../fixtures/breaker.ts';
import { MANY } from '../fixtures/many.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { silentLog } from '../fixtures/silent-log.ts';

const USER = { id: 'usr_1', email: 'a@example.com', plan: 'free' } as const;
const LEASE_MS = 60_000;

/** A real store with an account, to fill and inspect. */
export interface MaintenanceStore {
  store: Store;
  addEndpoint(destinations?: number): Promise<Endpoint>;
  /** Adds so many endpoints like this one. One statement: thousands of calls take seconds. */
  copyEndpoint(endpoint: Endpoint, copies: number): void;
  /** Captures one event at each of these times. Returns their ids, and leaves the deliveries due. */
  capture(endpoint: Endpoint, times: readonly number[]): Promise<string[]>;
  /** Attempts all due deliveries, with this outcome. `status` is of a failure; by default 500. */
  settleDue(now: number, next: Settlement['next'], status?: number): Promise<void>;
  /** Ids of all events of all endpoints, oldest first. */
  eventIds(): string[];
  /** Rows of a table. */
  count(table: string): number;
}

/** Closed, checked and deleted when the test ends. */
export async function openMaintenanceStore(): Promise<MaintenanceStore> {
  const dataDir = tempDir();
  const store = await openSqliteStore({
    dataDir,
    clock: systemClock,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await store.close();
    checkDatabase(dataDir);
  });
  await store.accounts.createUser({ ...USER, passwordHash: 'x', createdAt: 0 });

  function query<T>(sql: string): T[] {
    const db = new Database(path.join(dataDir, 'hookrelay.db'), { readonly: true });
    try {
      return db.prepare<[], T>(sql).pluck().all();
    } finally {
      db.close();
    }
  }

  return {
    store,
    async addEndpoint(destinations = 0) {
      const endpoint = await store.endpoints.create(
        {
          id: newId('ep', Date.now()),
          userId: USER.id,
          publicToken: newId('tok', Date.now()),
          settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'hooks' },
          source: null,
          createdAt: 0,
        },
        MANY,
      );
      for (let i = 0; i < destinations; i++) {
        await store.destinations.add(
          endpoint.key,
          {
            id: newId('dst', Date.now()),
            url: `https://192.0.2.1/${i}`,
            sealedSecret: null,
            sealedHeaders: null,
            settings: DEFAULT_DESTINATION_SETTINGS,
            createdAt: 0,
          },
          MANY,
        );
      }
      return endpoint;
    },
    copyEndpoint({ key }, copies) {
      const db = new Database(path.join(dataDir, 'hookrelay.db'));
      try {
        const columns = db
          .prepare<[], string>(
            "SELECT name FROM pragma_table_info('endpoints') WHERE name <> 'key'",
          )
          .pluck()
          .all();
        const isUnique = (name: string) => ['id', 'public_token'].includes(name);
        const values = columns.map((name) => (isUnique(name) ? `${name} || '-' || n.i` : name));
        db.prepare(`
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO endpoints (${columns.join(', ')})
          SELECT ${values.join(', ')} FROM endpoints CROSS JOIN n WHERE key = ?`).run(copies, key);
      } finally {
        db.close();
      }
    },
    async capture(endpoint, times) {
      const requests = times.map((receivedAt, i) => ({
        id: newId('evt', receivedAt),
        publicToken: endpoint.publicToken,
        path: '',
        query: '',
        rawHeaders: [],
        method: 'POST',
        body: new BorrowedBody(Buffer.from(`body ${i}`)),
        contentType: null,
        sourceIp: '192.0.2.9',
        receivedAt,
        provider: null,
        eventType: null,
      }));
      await store.events.appendBatch(requests, { leaseUntil: 0, limit: 0, skip: new Set() });
      return requests.map(({ id }) => id);
    },
    async settleDue(now, next, status = 500) {
      const claims = await store.queue.claimDue(now, {
        leaseUntil: now + LEASE_MS,
        limit: 10_000,
        perDestination: 10_000,
        skip: new Set(),
      });
      await store.queue.settle(
        claims.map((claim) => ({
          claim,
          attempt: {
            id: newId('att', now),
            destinationUrl: 'https://192.0.2.1',
            responseCode: next.state === 'succeeded' ? 200 : status,
            responseHeaders: null,
            responseBody: '',
            responseTruncated: false,
            durationMs: 1,
            error: null,
            attemptedAt: now,
            requestHeaders: null,
            ruleVersion: 0,
          },
          timedOut: false,
          reach: 'answered' as const,
          holdMs: null,
          next,
        })),
        BREAKER,
      );
    },
    eventIds: () => query<string>('SELECT id FROM events ORDER BY seq'),
    count: (table) => query<number>(`SELECT count(*) FROM ${table}`)[0] as number,
  };
}
