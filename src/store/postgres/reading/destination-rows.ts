import type { Destination } from '../../../core/model.ts';
import { settingsOf } from '../../shared/stored-settings.ts';

export interface DestinationRow extends Omit<Destination, 'settings'> {
  /** JSON. */
  settings: string;
}

/** Columns of `destinations d`. */
export const DESTINATION_COLUMNS = `d.key, d.id, d.url, d.sealed_secret AS "sealedSecret",
  d.settings, d.version, d.rule_version AS "ruleVersion", d.created_at AS "createdAt"`;

export function destinationOf(row: DestinationRow): Destination {
  const { key, id, url, sealedSecret, settings, version, ruleVersion, createdAt } = row;
  return {
    ...{ key, id, url, sealedSecret, version, ruleVersion, createdAt },
    settings: settingsOf(settings),
  };
}

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = 'd.key, d.id, d.timed_out AS "timedOut"';
