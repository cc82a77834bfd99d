import type { Destination } from '../../../core/model.ts';
import type { NewDestination } from '../../contract/destinations.ts';
import { Columns, type RowOf } from '../columns.ts';
import { settingsOf, storedSettings } from '../stored-settings.ts';

const DESTINATION = new Columns({
  key: 'bigint',
  id: 'text',
  endpointKey: 'bigint',
  url: 'text',
  sealedUrl: 'bytea?',
  sealedSecret: 'bytea?',
  sealedPreviousSecret: 'bytea?',
  previousSecretUntil: 'bigint?',
  sealedHeaders: 'bytea?',
  /** JSON. */
  settings: 'text',
  /** JSON. */
  flow: 'text?',
  version: 'integer',
  ruleVersion: 'integer',
  createdAt: 'bigint',
});

const READ = DESTINATION.without('endpointKey');
export type DestinationRow = RowOf<typeof READ>;
/** Columns of `destinations d` for a `DestinationRow`. */
export const DESTINATION_COLUMNS = READ.read('d');

export const NEW_DESTINATION = DESTINATION.only(
  'id',
  'endpointKey',
  'url',
  'sealedUrl',
  'sealedSecret',
  'sealedHeaders',
  'settings',
  'createdAt',
);

/** The columns that a patch changes. */
export const CHANGED_DESTINATION = DESTINATION.only(
  'url',
  'sealedUrl',
  'sealedSecret',
  'sealedPreviousSecret',
  'previousSecretUntil',
  'sealedHeaders',
  'settings',
  'flow',
);

export const DESTINATION_RULE = new Columns({
  destinationKey: 'bigint',
  version: 'integer',
  filter: 'text?',
  changedAt: 'bigint',
  changedBy: 'text?',
});
export const RULE_VERSION = DESTINATION_RULE.without('destinationKey');

/** Returns the destination, without other columns of the row. */
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

export function newDestinationRow(
  endpointKey: number,
  destination: NewDestination,
): RowOf<typeof NEW_DESTINATION> {
  return {
    sealedUrl: null,
    ...destination,
    endpointKey,
    settings: storedSettings(destination.settings),
  };
}

/** @param flow the result of `storedFlow` */
export function changedDestinationRow(
  { previousSecret, ...destination }: Destination,
  flow: string | null,
): RowOf<typeof CHANGED_DESTINATION> {
  return {
    ...destination,
    sealedPreviousSecret: previousSecret?.sealed ?? null,
    previousSecretUntil: previousSecret?.until ?? null,
    settings: storedSettings(destination.settings),
    flow,
  };
}
