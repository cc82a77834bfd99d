import type { SealedData } from '../../contract/admin-store.ts';
import { settingsOf, storedSettings } from '../stored-settings.ts';

/*
 * What only the server's secret opens. The statements run on both backends. Rows of channels and of
 * removed destinations stay sealed: their requests fail (`secret_unreadable`), and so none leaves
 * unsigned or for a masked URL.
 */

export const SEALED_DESTINATIONS = `
  SELECT d.key, d.id, p.id AS "endpointId", d.url, d.settings,
    d.sealed_secret IS NOT NULL AS secret, d.sealed_headers IS NOT NULL AS headers
  FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
  WHERE d.removed_at IS NULL AND NOT d.one_off
    AND coalesce(d.sealed_secret, d.sealed_headers, d.sealed_previous_secret) IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM channels c WHERE c.destination_key = d.key)
  ORDER BY d.key`;

export const SEALED_SOURCES = `
  SELECT p.key, p.id, p.source FROM endpoints p
  WHERE p.deleted_at IS NULL AND p.sealed_source_secrets IS NOT NULL ORDER BY p.key`;

export const SEALED_CHANNELS = `
  SELECT c.id, d.url FROM channels c JOIN destinations d ON d.key = c.destination_key
  WHERE coalesce(d.sealed_url, d.sealed_secret, d.sealed_headers) IS NOT NULL ORDER BY c.key`;

export const COUNT_SESSIONS = 'SELECT count(*) AS sessions FROM sessions';

export type SealedDestinationRow = {
  key: number;
  id: string;
  endpointId: string;
  url: string;
  settings: string;
  secret: boolean | number;
  headers: boolean | number;
};
export type SealedSourceRow = { key: number; id: string; source: string };
export type SealedChannelRow = { id: string; url: string };

export function sealedDataOf(rows: {
  destinations: readonly SealedDestinationRow[];
  sources: readonly SealedSourceRow[];
  channels: readonly SealedChannelRow[];
  sessions: number;
}): SealedData {
  return {
    destinations: rows.destinations.map(({ id, endpointId, url, secret, headers }) => ({
      ...{ id, endpointId, url, secret: Boolean(secret), headers: Boolean(headers) },
    })),
    sources: rows.sources.map(({ id, source }) => ({
      endpointId: id,
      provider: (JSON.parse(source) as { provider: string }).provider,
    })),
    channels: [...rows.channels],
    sessions: rows.sessions,
  };
}

/** Returns the stored settings of a destination that waits for a new secret. */
export function pausedSettings({ settings }: SealedDestinationRow): string {
  return storedSettings({ ...settingsOf(settings), state: 'paused' });
}
