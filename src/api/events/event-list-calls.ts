import * as v from 'valibot';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import { filterQueryEntries } from './event-filter-schema.ts';
import { eventListItemSchema, eventSummarySchema } from './event-schema.ts';
import { cursorSchema } from './search-cursor.ts';
import { stoppedSearchSchema } from './stopped-search-schema.ts';

const MAX_LIMIT = 1000;

export const listSchema = v.object({
  ...filterQueryEntries,
  ...pageEntries(MAX_LIMIT),
  view: v.optional(v.picklist(['summary'], 'must be summary')),
  around: v.optional(
    about(
      v.string('must be an event’s id'),
      'Id of an event: the page that has it, in place of `page`.',
    ),
  ),
  cursor: v.optional(cursorSchema),
});

const accountItemSchema = v.object({ ...eventListItemSchema.entries, endpoint_id: v.string() });

const stopped = (item: v.GenericSchema) => ({
  status: 503,
  description: 'The search stopped before its end: what it found, and a cursor that continues it',
  response: stoppedSearchSchema(item),
});

export const EVENT_LIST_CALLS = {
  'GET /api/events': {
    summary: 'List the events of all endpoints, newest first, filtered and paged',
    tag: 'events',
    access: 'account-part',
    scope: 'read',
    query: listSchema,
    response: pageSchema(v.union([eventSummarySchema, accountItemSchema])),
    also: stopped(v.union([eventSummarySchema, accountItemSchema])),
  },
  'GET /api/endpoints/{id}/events': {
    summary: 'List an endpoint’s events, newest first, filtered and paged',
    tag: 'events',
    access: 'endpoint',
    scope: 'read',
    query: listSchema,
    response: pageSchema(v.union([eventSummarySchema, eventListItemSchema])),
    also: stopped(v.union([eventSummarySchema, eventListItemSchema])),
  },
} as const satisfies Calls;
