import { Columns } from '../columns.ts';

/** The columns of an attempt that are shown unchanged. */
export const SHOWN_ATTEMPT = new Columns({
  id: 'text',
  deliveryId: 'text',
  trigger: 'smallint',
  number: 'integer',
  responseCode: 'integer?',
  responseTruncated: 'boolean',
  durationMs: 'integer',
  errorCode: 'text?',
  errorMessage: 'text?',
  attemptedAt: 'bigint',
  nextAttemptAt: 'bigint?',
  responseHeaders: 'text?',
  requestHeaders: 'text?',
  ruleVersion: 'integer?',
  probe: 'boolean',
  health: 'smallint?',
});

/** The columns of a new attempt that both stores have. */
export const NEW_ATTEMPT = SHOWN_ATTEMPT.and({
  eventSeq: 'bigint',
  endpointKey: 'bigint',
  destinationKey: 'bigint',
  destinationUrl: 'text',
});
