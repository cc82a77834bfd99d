import { DEFAULT_DESTINATION_SETTINGS } from '../../../core/settings/destination-settings.ts';
import { Columns, type RowOf } from '../columns.ts';
import { storedSettings } from '../stored-settings.ts';

/** The row of `destinations` that stands for a one-off URL. */
export const ONE_OFF = new Columns({
  id: 'text',
  endpointKey: 'bigint',
  url: 'text',
  settings: 'text',
  createdAt: 'bigint',
  removedAt: 'bigint',
  oneOff: 'boolean',
});

/** A one-off URL counts as a removed destination that has default settings and no breaker. */
const SETTINGS = storedSettings({ ...DEFAULT_DESTINATION_SETTINGS, breaker: 'off' });

export function oneOffRow({
  now,
  ...row
}: Pick<RowOf<typeof ONE_OFF>, 'id' | 'endpointKey' | 'url'> & { now: number }) {
  return { ...row, settings: SETTINGS, createdAt: now, removedAt: now, oneOff: true };
}
