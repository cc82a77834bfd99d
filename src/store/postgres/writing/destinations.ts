import { limitReached } from '../../../core/limits.ts';
import type { Destination } from '../../../core/model.ts';
import type {
  Change,
  DestinationPatch,
  DestinationStore,
  NewDestination,
  RuleVersion,
} from '../../contract/destinations.ts';
import { patched, storedSettings } from '../../shared/stored-settings.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../reading/destination-rows.ts';
import { changeRule, ruleVersions } from './destination-rules.ts';
import type { Rounds } from './rounds.ts';

/** Deliveries that one commit cancels before their destination is removed. */
const CANCEL_SLICE = 1000;

const PRESENT = `destinations d JOIN endpoints p ON p.key = d.endpoint_key
  WHERE d.endpoint_key = $1 AND d.removed_at IS NULL AND p.deleted_at IS NULL`;

/**
 * A change closes the endpoint's gate. A capture that has passed the gate thus reads the
 * same `settings_version` and the same destinations until its commit.
 */
export class PostgresDestinations implements DestinationStore {
  readonly #db: Database;
  readonly #rounds: Rounds;

  constructor(db: Database, rounds: Rounds) {
    this.#db = db;
    this.#rounds = rounds;
  }

  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null> {
    return this.#db.transaction(async (sql) => {
      // The gate serializes two concurrent additions: the second counts the first.
      await closeGate(sql, endpointKey);
      if (!(await isAlive(sql, endpointKey))) return null;
      const [has] = await sql.rows<{ destinations: number }>(
        `SELECT count(*) AS destinations FROM destinations
         WHERE endpoint_key = $1 AND removed_at IS NULL`,
        [endpointKey],
      );
      if (has && has.destinations >= most) throw limitReached('destinations', most);
      const { id, url, sealedSecret, settings, createdAt, createdBy = null } = destination;
      const [row] = await sql.rows<DestinationRow>(
        `INSERT INTO destinations AS d
           (id, endpoint_key, url, sealed_secret, settings, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${DESTINATION_COLUMNS}`,
        [
          id,
          endpointKey,
          storable(url),
          sealedSecret,
          storable(storedSettings(settings)),
          createdAt,
        ],
      );
      const added = destinationOf(row as DestinationRow);
      if (settings.filter !== null) {
        added.ruleVersion = await changeRule(sql, added.key, settings.filter, {
          at: createdAt,
          by: createdBy,
        });
      }
      await noteChange(sql, endpointKey);
      return added;
    });
  }

  async get(endpointKey: number, destinationId: string): Promise<Destination | null> {
    const row = await find(this.#db, endpointKey, destinationId);
    return row ? destinationOf(row) : null;
  }

  async list(endpointKey: number): Promise<Destination[]> {
    const rows = await this.#db.rows<DestinationRow>(
      `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} ORDER BY d.key DESC`,
      [endpointKey],
    );
    return rows.map(destinationOf);
  }

  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: Change,
  ): Promise<Destination | null> {
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, endpointKey);
      const found = await find(sql, endpointKey, destinationId);
      if (!found) return null;
      const before = destinationOf(found);
      const { key, url, sealedSecret, settings } = patched(before, patch);
      const [row] = await sql.rows<DestinationRow>(
        `UPDATE destinations d
         SET url = $1, sealed_secret = $2, settings = $3, version = version + 1
         WHERE d.key = $4 RETURNING ${DESTINATION_COLUMNS}`,
        [storable(url), sealedSecret, storable(storedSettings(settings)), key],
      );
      const after = destinationOf(row as DestinationRow);
      if (settings.filter !== before.settings.filter) {
        after.ruleVersion = await changeRule(sql, key, settings.filter, change);
      }
      await noteChange(sql, endpointKey);
      return after;
    });
  }

  async rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null> {
    const found = await find(this.#db, endpointKey, destinationId);
    return found ? ruleVersions(this.#db, found.key) : null;
  }

  async remove(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean> {
    const cancelSlice = async (sql: Sql) => {
      const found = await find(sql, endpointKey, destinationId);
      return found ? this.#rounds.cancelOpen(sql, found.key, CANCEL_SLICE) : 0;
    };
    // Slices cancel most deliveries while the destination still exists, so that the
    // removal can be repeated after a crash. The last commit cancels the rest and removes
    // the destination.
    if (cancelPending) while ((await this.#db.transaction(cancelSlice)) === CANCEL_SLICE);
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, endpointKey);
      const found = await find(sql, endpointKey, destinationId);
      if (!found) return false;
      await sql.run('UPDATE destinations SET removed_at = $1 WHERE key = $2', [now, found.key]);
      await noteChange(sql, endpointKey);
      if (cancelPending) await this.#rounds.cancelOpen(sql, found.key, Number.MAX_SAFE_INTEGER);
      return true;
    });
  }
}

async function find(
  sql: Sql,
  endpointKey: number,
  destinationId: string,
): Promise<DestinationRow | undefined> {
  const [row] = await sql.rows<DestinationRow>(
    `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} AND d.id = $2`,
    [endpointKey, storable(destinationId)],
  );
  return row;
}

async function isAlive(sql: Sql, endpointKey: number): Promise<boolean> {
  const rows = await sql.rows('SELECT 1 FROM endpoints WHERE key = $1 AND deleted_at IS NULL', [
    endpointKey,
  ]);
  return rows.length > 0;
}

/** Adds 1 to the endpoint's settings version, and counts its filters. */
async function noteChange(sql: Sql, endpointKey: number): Promise<void> {
  await sql.run(
    `UPDATE endpoints SET settings_version = settings_version + 1,
       filters = (SELECT count(*) FROM destinations
         WHERE endpoint_key = $1 AND removed_at IS NULL AND settings::json ->> 'filter' IS NOT NULL)
     WHERE key = $1`,
    [endpointKey],
  );
}
