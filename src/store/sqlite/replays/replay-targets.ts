import type { Database, Statement } from 'better-sqlite3';
import { requireReplayable } from '../../../core/flow/require-replayable.ts';
import { limitReached } from '../../../core/limits.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import type { ReplayTarget } from '../../contract/replays.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  claimedDestination,
} from '../../shared/destinations/claimed-destination.ts';
import { ONE_OFF, oneOffRow } from '../../shared/replays/one-off.ts';
import type { ReplayDestination } from '../../shared/replays/replayed-event.ts';
import { settingsOf } from '../../shared/stored-settings.ts';

interface Row extends ClaimedDestinationRow {
  id: string;
  createdAt: number;
  ruleVersion: number;
}

/** Finds the destinations of replays. All methods run in the writer's transaction. */
export class ReplayTargets {
  readonly #present: Statement<[number], Row>;
  readonly #endpointId: Statement<[number], string>;
  readonly #oneOff: Statement<[number, string], ClaimedDestinationRow>;
  readonly #oneOffs: Statement<[number], number>;
  readonly #addOneOff: Statement<unknown[]>;

  constructor(db: Database) {
    this.#present = db.prepare(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS}, d.created_at AS createdAt,
        d.rule_version AS ruleVersion
      FROM destinations d WHERE d.endpoint_key = ? AND d.removed_at IS NULL ORDER BY d.key`);
    this.#endpointId = db
      .prepare<[number], string>('SELECT id FROM endpoints WHERE key = ?')
      .pluck();
    this.#oneOff = db.prepare(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d
      WHERE d.endpoint_key = ? AND d.one_off = 1 AND d.url = ?`);
    this.#oneOffs = db
      .prepare<[number], number>(
        'SELECT count(*) FROM destinations WHERE endpoint_key = ? AND one_off = 1',
      )
      .pluck();
    this.#addOneOff = db.prepare(`
      INSERT INTO destinations (${ONE_OFF.names}) VALUES (${ONE_OFF.marks})`);
  }

  /** Returns the endpoint's present destinations, except disabled ones. */
  all(endpointKey: number): ReplayDestination[] {
    return this.#present.all(endpointKey).flatMap((row) => {
      const settings = settingsOf(row.settings);
      return settings.state === 'disabled' ? [] : [replayDestination(row)];
    });
  }

  /** Finds destinations by id. Throws `destination_not_found` and `destination_disabled`. */
  named(endpointKey: number, ids: readonly string[]): ReplayDestination[] {
    if (ids.length === 0) return [];
    const rows = this.#present.all(endpointKey);
    const present = rows.map(({ id, settings }) => ({ id, settings: settingsOf(settings) }));
    requireReplayable(ids, present, this.#endpointId.get(endpointKey) as string);
    return rows.filter(({ id }) => ids.includes(id)).map(replayDestination);
  }

  /** Finds the row of a one-off URL, or adds it. Throws `limit_reached`. */
  oneOff(
    endpointKey: number,
    { url, id, mostUrls }: Extract<ReplayTarget, { to: 'url' }>,
    now: number,
  ): ClaimedDestination {
    const known = this.#oneOff.get(endpointKey, url);
    if (known) return claimedDestination(known);
    if (Number(this.#oneOffs.get(endpointKey)) >= mostUrls) {
      throw limitReached('oneOffUrls', mostUrls);
    }
    this.#addOneOff.run(...ONE_OFF.values(oneOffRow({ id, endpointKey, url, now })));
    return claimedDestination(this.#oneOff.get(endpointKey, url) as ClaimedDestinationRow);
  }
}

function replayDestination(row: Row): ReplayDestination {
  const { filter, order_by: orderBy } = settingsOf(row.settings);
  const { createdAt, ruleVersion } = row;
  return { ...claimedDestination(row), id: row.id, createdAt, ruleVersion, filter, orderBy };
}
