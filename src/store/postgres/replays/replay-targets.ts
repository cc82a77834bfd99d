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
import type { ReplayDestination, ReplayMode } from '../../shared/replays/replayed-event.ts';
import { settingsOf } from '../../shared/stored-settings.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/** Where to replay events. If `ids` isn't null, only to these destinations. */
export type Choice =
  | { mode: ReplayMode; ids: readonly string[] | null }
  | { mode: 'once'; target: Extract<ReplayTarget, { to: 'url' }> };

/** The targets of a choice, under one version of an endpoint's settings. */
export type Targets = {
  version: number;
} & (
  | {
      mode: ReplayMode;
      destinations: ReplayDestination[];
      /** Keys of the endpoint's other current destinations, such as disabled ones. */
      others: number[];
    }
  | { mode: 'once'; destination: ClaimedDestination }
);

interface Row extends ClaimedDestinationRow {
  id: string;
  createdAt: number;
  ruleVersion: number;
  version: number;
}

const PRESENT = `
  SELECT ${CLAIMED_DESTINATION_COLUMNS}, d.created_at AS "createdAt",
    d.rule_version AS "ruleVersion", p.settings_version AS version
  FROM endpoints p JOIN destinations d ON d.endpoint_key = p.key
  WHERE p.key = $1 AND p.deleted_at IS NULL AND d.removed_at IS NULL ORDER BY d.key`;

const FIND_ONE_OFF = `
  SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d
  WHERE d.endpoint_key = $1 AND d.one_off AND d.url = $2`;

export function choiceOf(target: ReplayTarget): Choice {
  switch (target.to) {
    case 'all':
      return { mode: 'all', ids: null };
    case 'destinations':
      return { mode: 'named', ids: target.ids };
    case 'url':
      return { mode: 'once', target };
  }
}

/**
 * Returns the current targets. The transaction has passed the endpoint's gate, so the targets can't
 * change until it ends. Throws `limit_reached`. In the mode `named` it also throws like
 * `checkNamed`.
 */
export async function targetsOf(
  sql: Sql,
  endpointKey: number,
  choice: Choice,
  now: number,
): Promise<Targets> {
  if (choice.mode === 'once') {
    const destination = await oneOff(sql, endpointKey, choice.target, now);
    return { version: 0, mode: 'once', destination };
  }
  const { mode, ids } = choice;
  const rows = await sql.rows<Row>(PRESENT, [endpointKey], 'replay targets');
  if (mode === 'named') await requireNamed(sql, endpointKey, rows, ids ?? []);
  const chosen = ids === null ? rows : rows.filter(({ id }) => ids.includes(id));
  const destinations = chosen.flatMap((row) => replayDestination(row) ?? []);
  const keys = new Set(destinations.map(({ key }) => key));
  const others = rows.flatMap(({ key }) => (keys.has(key) ? [] : [key]));
  return { version: rows[0]?.version ?? 0, mode, destinations, others };
}

/**
 * Throws `destination_not_found` or `destination_disabled` if one of `ids` can't be replayed to.
 */
export async function checkNamed(
  sql: Sql,
  endpointKey: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await requireNamed(sql, endpointKey, await sql.rows<Row>(PRESENT, [endpointKey]), ids);
}

async function requireNamed(
  sql: Sql,
  endpointKey: number,
  rows: readonly Row[],
  ids: readonly string[],
): Promise<void> {
  const [endpoint] = await sql.rows<{ id: string }>('SELECT id FROM endpoints WHERE key = $1', [
    endpointKey,
  ]);
  const present = rows.map(({ id, settings }) => ({ id, settings: settingsOf(settings) }));
  requireReplayable(ids, present, endpoint?.id ?? '');
}

/** Returns null if the destination is disabled. */
function replayDestination(row: Row): ReplayDestination | null {
  const { filter, order_by: orderBy, state } = settingsOf(row.settings);
  if (state === 'disabled') return null;
  const { createdAt, ruleVersion } = row;
  return { ...claimedDestination(row), id: row.id, createdAt, ruleVersion, filter, orderBy };
}

/** Returns the row of a one-off URL. Adds the row if there is none. */
async function oneOff(
  sql: Sql,
  endpointKey: number,
  { url, id, mostUrls }: Extract<ReplayTarget, { to: 'url' }>,
  now: number,
): Promise<ClaimedDestination> {
  // Lock the endpoint. Otherwise two transactions could add two rows for the same URL.
  await sql.rows('SELECT 1 FROM endpoints WHERE key = $1 FOR NO KEY UPDATE', [endpointKey]);
  const find = () => sql.rows<ClaimedDestinationRow>(FIND_ONE_OFF, [endpointKey, storable(url)]);
  const [known] = await find();
  if (known) return claimedDestination(known);
  const [has] = await sql.rows<{ urls: number }>(
    'SELECT count(*) AS urls FROM destinations WHERE endpoint_key = $1 AND one_off',
    [endpointKey],
  );
  if (has && has.urls >= mostUrls) throw limitReached('oneOffUrls', mostUrls);
  await sql.run(
    `INSERT INTO destinations (${ONE_OFF.names}) SELECT * FROM ${ONE_OFF.unnest('d')}`,
    ONE_OFF.arrays([oneOffRow({ id, endpointKey, url: storable(url), now })]),
  );
  const [made] = await find();
  return claimedDestination(made as ClaimedDestinationRow);
}
