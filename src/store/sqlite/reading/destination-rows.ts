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
export const DESTINATION_COLUMNS = `d.key, d.id, d.url, d.sealed_url AS sealedUrl, d.sealed_secret AS sealedSecret,
  d.sealed_previous_secret AS sealedPreviousSecret, d.previous_secret_until AS previousSecretUntil,
  d.sealed_headers AS sealedHeaders, d.settings, d.flow, d.version,
  d.rule_version AS ruleVersion, d.created_at AS createdAt`;

export function destinationOf({
  flow: _,
  sealedPreviousSecret: sealed,
  previousSecretUntil: until,
  ...row
}: DestinationRow): Destination {
  const previousSecret = sealed && until !== null ? { sealed, until } : null;
  return { ...row, previousSecret, settings: settingsOf(row.settings) };
}

/** The id of `destinations d` outside of the store: null for a one-off URL. */
export const SHOWN_DESTINATION_ID = 'CASE d.one_off WHEN 0 THEN d.id END';

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = `d.key, ${SHOWN_DESTINATION_ID} AS id, d.timed_out AS timedOut, d.settings, d.flow`;
