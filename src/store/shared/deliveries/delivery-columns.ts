import { Columns } from '../columns.ts';

/** The columns that identify a delivery. */
export const DELIVERY_KEY = new Columns({
  destinationKey: 'bigint',
  eventSeq: 'bigint',
  round: 'integer',
});

/** The columns of an open delivery that both stores have. */
export const OPEN_DELIVERY = DELIVERY_KEY.and({
  endpointKey: 'bigint',
  id: 'text',
  trigger: 'smallint',
  nextAttemptAt: 'bigint',
  /** The value by which the destination orders deliveries. Null if it doesn't order them. */
  orderKey: 'text?',
  /** Whether the delivery waits for an earlier one of its order key, or for a person. */
  behind: 'boolean',
  /** The bulk replay that made the delivery, or null. */
  jobKey: 'bigint?',
  /** Whether the delivery waits for a person because its event couldn't be judged. */
  unjudged: 'boolean',
});

export const SETTLED_DELIVERY = DELIVERY_KEY.and({
  endpointKey: 'bigint',
  id: 'text',
  trigger: 'smallint',
  state: 'smallint',
  attempts: 'integer',
  probes: 'integer',
  errorCode: 'text?',
  orderKey: 'text?',
  jobKey: 'bigint?',
});

export const JOB_COUNT = new Columns({ jobKey: 'bigint', state: 'smallint', count: 'bigint' });
