import type { Endpoint } from '../../../core/model.ts';
import {
  DEFAULT_ENDPOINT_SETTINGS as DEFAULTS,
  type EndpointSettings,
} from '../../../core/settings/endpoint-settings.ts';
import { Columns, type RowOf } from '../columns.ts';
import { sourceOf } from '../events/stored-proof.ts';

const ENDPOINT = new Columns(
  {
    key: 'bigint',
    id: 'text',
    userId: 'text',
    publicToken: 'text',
    createdAt: 'bigint',
    settings: 'text',
    source: 'text?',
    sealedSourceSecrets: 'bytea?',
    settingsVersion: 'integer',
    judgedDestinations: 'integer',
    expectedSince: 'bigint?',
  },
  { judgedDestinations: 'filters' },
);
/** Columns of `endpoints p` for an `EndpointRow`. */
export const ENDPOINT_COLUMNS = ENDPOINT.read('p');
export type EndpointRow = RowOf<typeof ENDPOINT>;

export function endpointOf(row: EndpointRow): Endpoint {
  const { key, id, userId, publicToken, createdAt } = row;
  const settings = endpointSettingsOf(row.settings);
  return { key, id, userId, publicToken, settings, source: sourceOf(row), createdAt };
}

/** Parses `endpoints.settings`. Keeps unknown settings of a newer program. */
export function endpointSettingsOf(stored: string): EndpointSettings {
  return { ...DEFAULTS, ...(JSON.parse(stored) as Partial<EndpointSettings>) };
}

/** Returns what the endpoint does with an event that couldn't be judged. */
export function fateOf(stored: string): 'held' | 'delivered' {
  return endpointSettingsOf(stored).on_unjudged === 'hold' ? 'held' : 'delivered';
}
