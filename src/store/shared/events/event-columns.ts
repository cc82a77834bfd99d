import { Columns } from '../columns.ts';

/** The columns that identify an event. */
export const EVENT_KEY = new Columns({ endpointKey: 'bigint', seq: 'bigint' });

/** The columns that a capture writes. */
export const NEW_EVENT = EVENT_KEY.and({
  id: 'text',
  method: 'text',
  path: 'text',
  contentType: 'text?',
  size: 'integer',
  provider: 'text?',
  eventType: 'text?',
  sourceIp: 'text',
  receivedAt: 'bigint',
  open: 'integer',
  editedFrom: 'text?',
  verification: 'smallint?',
  proof: 'text?',
  duplicateOf: 'text?',
  duplicateConflict: 'boolean?',
  unjudged: 'smallint?',
});

/** The columns of an `EventProgress`. */
export const PROGRESS = new Columns({
  open: 'integer',
  succeeded: 'integer',
  dead: 'integer',
  failed: 'integer',
});

/** The columns that a replay changes. */
export const REPLAYED = PROGRESS.and({
  status: 'smallint',
  countedFrom: 'integer?',
  unjudged: 'smallint?',
});

export const FIRST_EVENT = new Columns({
  endpointKey: 'bigint',
  onceKey: 'text',
  eventSeq: 'bigint',
  eventId: 'text',
  body: 'text',
});

export const FILTERED_EVENT = new Columns({
  endpointKey: 'bigint',
  eventSeq: 'bigint',
  dropped: 'text',
  uncomparable: 'text?',
});

export const EVENT_COUNT = new Columns({
  endpointKey: 'bigint',
  status: 'smallint',
  count: 'bigint',
});
