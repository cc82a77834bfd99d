import { Columns } from '../columns.ts';

/** Names a delivery. */
export const DELIVERY_KEY = new Columns({
  destinationKey: 'bigint',
  eventSeq: 'bigint',
  round: 'integer',
});

/** What both stores keep of an open delivery, and know before it has a turn. */
export const OPEN_DELIVERY = DELIVERY_KEY.and({
  endpointKey: 'bigint',
  id: 'text',
  trigger: 'smallint',
  nextAttemptAt: 'bigint',
  orderKey: 'text?',
  behind: 'boolean',
  jobKey: 'bigint?',
  unjudged: 'boolean',
});

/** A row of `deliveries`. */
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
