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
  /** The value by which the destination orders it; null without one. */
  orderKey: 'text?',
  /** Whether an earlier delivery of the same order key is open, or a person decides. */
  behind: 'boolean',
  /** The bulk replay that made it. */
  jobKey: 'bigint?',
  /** Whether it waits for a person, because its event couldn't be judged. */
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
