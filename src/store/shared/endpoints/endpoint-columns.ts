import type { Endpoint } from '../../../core/model.ts';
import {
  DEFAULT_ENDPOINT_SETTINGS as DEFAULTS,
  mayJudge,
} from '../../../core/settings/endpoint-settings.ts';
import type { EndpointPatch } from '../../contract/endpoints.ts';
import { Columns, type RowOf } from '../columns.ts';
import { sourceOf, storedSource } from '../events/stored-proof.ts';
import { chosenOf } from '../stored-settings.ts';
import { type EndpointRow, endpointSettingsOf } from './stored-endpoint.ts';

/** Columns of `endpoints` that a change writes. */
export const CHANGING = new Columns({
  settings: 'text',
  source: 'text?',
  sealedSourceSecrets: 'bytea?',
  settingsVersion: 'integer',
  expectedSince: 'bigint?',
});
type ChangingRow = RowOf<typeof CHANGING>;

export const NEW_ENDPOINT = CHANGING.and({
  id: 'text',
  userId: 'text',
  publicToken: 'text',
  createdAt: 'bigint',
});

export function newEndpointRow(endpoint: Omit<Endpoint, 'key'>): RowOf<typeof NEW_ENDPOINT> {
  const { id, userId, publicToken, createdAt, settings, source } = endpoint;
  return {
    ...{ id, userId, publicToken, createdAt },
    settings: chosenOf(settings, DEFAULTS),
    source: storedSource(source),
    sealedSourceSecrets: source?.sealedSecrets ?? null,
    settingsVersion: 1,
    expectedSince: settings.expect_every === null ? null : createdAt,
  };
}

/**
 * Returns the columns that a change writes, with the patch applied.
 *
 * @param present the row, which the transaction has locked
 */
export function patchedColumns(present: EndpointRow, patch: EndpointPatch): ChangingRow {
  const source = patch.source === undefined ? sourceOf(present) : patch.source;
  const judges = patch.source !== undefined || (patch.settings && mayJudge(patch.settings));
  return {
    ...patchedSettings(present, patch),
    source: storedSource(source),
    sealedSourceSecrets: source?.sealedSecrets ?? null,
    settingsVersion: present.settingsVersion + (judges ? 1 : 0),
  };
}

function patchedSettings(
  { settings: stored, expectedSince }: EndpointRow,
  patch: EndpointPatch,
): Pick<ChangingRow, 'settings' | 'expectedSince'> {
  if (!patch.settings) return { settings: stored, expectedSince };
  const before = endpointSettingsOf(stored);
  const settings = { ...before, ...patch.settings };
  const { expect_every: every } = settings;
  return {
    settings: chosenOf(settings, DEFAULTS),
    expectedSince: every === before.expect_every ? expectedSince : every && patch.now,
  };
}
