import type { Destination } from '../../../core/model.ts';
import { settingsOf } from '../../shared/stored-settings.ts';

export interface DestinationRow extends Omit<Destination, 'settings' | 'previousSecret'> {
  /** JSON. */
  settings: string;
  /** JSON. */
  flow: string | null;
  sealedPreviousSecret: Uint8Array | null;
  previousSecretUntil: number | null;
}

/** Columns of `destinations d`. */
export const DESTINATION_COLUMNS = `d.key, d.id, d.url, d.sealed_url AS "sealedUrl", d.sealed_secret AS "sealedSecret",
  d.sealed_previous_secret AS "sealedPreviousSecret",
  d.previous_secret_until AS "previousSecretUntil", d.sealed_headers AS "sealedHeaders",
  d.settings, d.flow, d.version, d.rule_version AS "ruleVersion", d.created_at AS "createdAt"`;

/** Drops the other columns of the row. */
export function destinationOf(row: DestinationRow): Destination {
  const { key, id, url, sealedUrl, sealedSecret, sealedHeaders, version, ruleVersion, createdAt } =
    row;
  const { sealedPreviousSecret: sealed, previousSecretUntil: until } = row;
  return {
    ...{ key, id, url, sealedUrl, sealedSecret, sealedHeaders, version, ruleVersion, createdAt },
    previousSecret: sealed && until !== null ? { sealed, until } : null,
    settings: settingsOf(row.settings),
  };
}

/** The id that views show of `destinations d`: none of a one-off URL. */
export const SHOWN_ID = 'CASE WHEN d.one_off THEN NULL ELSE d.id END';

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = `d.key, ${SHOWN_ID} AS id, d.timed_out AS "timedOut",
  d.settings, d.flow`;
