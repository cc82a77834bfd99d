import { type Flow, readFlow } from '../../../core/flow/flow.ts';
import { type ControlSettings, isDirect } from '../../../core/flow/permits.ts';
import type { DestinationSettings } from '../../../core/settings/destination-settings.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { settingsOf } from '../stored-settings.ts';
import { type SlotClassColumn, slotClassOf } from './slot-class-column.ts';

/** SQL for the visible id of a destination `d`. Null for a one-off URL. */
export const SHOWN_DESTINATION_ID = 'CASE WHEN NOT d.one_off THEN d.id END';

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = `d.key, ${SHOWN_DESTINATION_ID} AS id,
  d.timed_out AS "timedOut", d.settings, d.flow`;

/** The destination of a claim. */
export interface ClaimedDestinationRow {
  key: number;
  /** Null for a one-off URL. */
  id: string | null;
  timedOut: SlotClassColumn;
  /** JSON. */
  settings: string;
  /** JSON. */
  flow: string | null;
}

/** The settings and the flow that decide whether deliveries may start, and how fast. */
export interface Control {
  settings: ControlSettings & Pick<DestinationSettings, 'breaker' | 'hold' | 'timeout'>;
  flow: Flow;
}

export function controlOf(row: Pick<ClaimedDestinationRow, 'settings' | 'flow'>): Control {
  return { settings: settingsOf(row.settings), flow: readFlow(row.flow) };
}

/** Returns the destination of a claim, without other columns of the row. */
export function claimedDestination(row: ClaimedDestinationRow): ClaimedDestination {
  const settings = settingsOf(row.settings);
  return {
    key: row.key,
    id: row.id,
    slotClass: slotClassOf(row.timedOut),
    concurrency: settings.concurrency,
    slots: null,
    isControlled: !isDirect(settings, readFlow(row.flow)),
  };
}

/** Columns of `destinations d` for a `TakerRow`. */
export const TAKER_COLUMNS = `${CLAIMED_DESTINATION_COLUMNS}, d.url`;

export interface TakerRow extends ClaimedDestinationRow {
  url: string;
}

/** Returns the destinations that get new events. */
export function takersOf(rows: readonly TakerRow[]): ClaimedDestination[] {
  return rows.flatMap((row) => {
    const { state, name } = settingsOf(row.settings);
    if (state === 'disabled') return [];
    const taker = { ...claimedDestination(row), shownAs: name ?? row.url };
    if (state === 'paused') return [{ ...taker, holds: 'paused' as const }];
    return [readFlow(row.flow).breaker ? { ...taker, holds: 'breaker' as const } : taker];
  });
}

/**
 * Returns the latest due time of deliveries that an open breaker has blocked for longer than the
 * destination's `hold`, Unix ms. Returns null if the breaker hasn't been open that long, without a
 * `hold`, or if the destination isn't active.
 */
export function expiredBefore({ settings, flow }: Control, now: number): number | null {
  const { hold, state } = settings;
  if (!flow.breaker || hold === null || state !== 'active') return null;
  return flow.breaker.since <= now - hold ? now - hold : null;
}
