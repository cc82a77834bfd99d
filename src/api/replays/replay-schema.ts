import * as v from 'valibot';
import { REPLAY_JOB_STATES } from '../../core/model.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { destinationIdsSchema } from '../destination-ids-schema.ts';
import { filterBodyEntries } from '../events/event-filter-schema.ts';
import { idSchema } from '../id-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';

const destinationIds = destinationIdsSchema('Only to these destinations.');

const url = about(
  v.string('must be a string'),
  'Delivers once to this URL, without a secret and headers. It is checked like a destination’s URL.',
);

export const replaySchema = v.pipe(
  strictObject({ destination_ids: v.optional(destinationIds), url: v.optional(url) }),
  v.forward(
    v.check(
      ({ destination_ids, url }) => destination_ids === undefined || url === undefined,
      'must not be given together with destination_ids',
    ),
    ['url'],
  ),
);

export const bulkReplaySchema = v.pipe(
  strictObject({
    ...filterBodyEntries,
    destination_ids: v.optional(destinationIds),
    filtered_by: v.optional(
      about(
        idSchema('destination'),
        'Only events that this destination’s filter dropped, and only to this destination. Its present filter judges them again.',
      ),
    ),
    dry_run: v.optional(v.boolean('must be true or false')),
  }),
  v.forward(
    v.check(
      ({ destination_ids, filtered_by }) =>
        destination_ids === undefined || filtered_by === undefined,
      'must not be given together with destination_ids',
    ),
    ['filtered_by'],
  ),
);

export const replayedSchema = v.object({
  queued: v.boolean(),
  event_id: v.string(),
  deliveries: v.number(),
});

export const bulkReplayedSchema = v.object({
  queued: about(v.number(), 'Events that match now.'),
  job_id: v.string(),
});

export const replayJobSchema = v.object({
  id: v.string(),
  state: about(
    v.picklist(REPLAY_JOB_STATES),
    'running: it queues events, or some of its deliveries are open.',
  ),
  matching: about(v.number(), 'Events that matched when it started.'),
  queued: about(v.number(), 'Deliveries that it has made so far, in any state.'),
  delivered: about(v.number(), 'Deliveries that succeeded.'),
  dead: about(v.number(), 'Deliveries that are dead.'),
  created_at: isoTimeSchema,
});
