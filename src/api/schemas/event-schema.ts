import * as v from 'valibot';
import { isoTimeSchema } from '../views.ts';
import { eventStatusSchema } from './event-filter.ts';

/** An event in a list. */
export const eventListItemSchema = v.object({
  id: v.string(),
  status: eventStatusSchema,
  method: v.string(),
  received_at: isoTimeSchema,
});

/** An event in a list with `view=summary`, and in streams. */
export const eventSummarySchema = v.object({
  ...eventListItemSchema.entries,
  endpoint_id: v.string(),
  path: v.string(),
  content_type: v.nullable(v.string()),
  size: v.number(),
  provider: v.nullable(v.string()),
  event_type: v.nullable(v.string()),
  source_ip: v.string(),
  attempts: v.pipe(
    v.number(),
    v.description('Attempts made since the latest replay to all destinations.'),
  ),
  edited_from: v.pipe(
    v.nullable(v.string()),
    v.description('Id of the event that this is an edited copy of.'),
  ),
});
