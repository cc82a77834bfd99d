import type { Destination } from '../../../core/model.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { settingsOf } from '../../shared/stored-settings.ts';

export interface DestinationRow extends Omit<Destination, 'settings'> {
  /** JSON. */
  settings: string;
}

/** Of `destinations d`. */
export const DESTINATION_COLUMNS = `d.key, d.id, d.url, d.sealed_secret AS sealedSecret, d.settings,
  d.version, d.created_at AS createdAt`;

export function destinationOf(row: DestinationRow): Destination {
  return { ...row, settings: settingsOf(row.settings) };
}

export interface ClaimedDestinationRow extends Omit<ClaimedDestination, 'timedOut'> {
  timedOut: number | null;
}

/** Of `destinations d`: what a claim says of its destination. */
export const CLAIMED_DESTINATION_COLUMNS = 'd.key, d.id, d.timed_out AS timedOut';

export function claimedDestinationOf(row: ClaimedDestinationRow): ClaimedDestination {
  return { ...row, timedOut: row.timedOut === null ? null : row.timedOut === 1 };
}
