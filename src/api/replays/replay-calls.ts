import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import {
  bulkReplayedSchema,
  bulkReplaySchema,
  replayedSchema,
  replayJobSchema,
  replaySchema,
} from './replay-schema.ts';

const MAX_LIMIT = 1000;

export const REPLAY_CALLS = {
  'POST /api/endpoints/{id}/events/{eventId}/replay': {
    summary:
      'Deliver an event again: to the current destinations whose filter didn’t drop it at capture, to some destinations, or once to a URL',
    tag: 'replays',
    access: 'event',
    scope: 'write',
    audit: 'event.replay',
    body: replaySchema,
    status: 202,
    response: replayedSchema,
  },
  'POST /api/endpoints/{id}/replay': {
    summary: 'Start a bulk replay of all matching events, or only count them (dry_run)',
    tag: 'replays',
    access: 'endpoint',
    scope: 'write',
    onlyReads: (body: v.InferOutput<typeof bulkReplaySchema>) => body.dry_run === true,
    audit: 'endpoint.replay',
    body: bulkReplaySchema,
    status: 202,
    response: bulkReplayedSchema,
    also: {
      status: 200,
      description: 'Success, with dry_run',
      response: v.object({ matching: v.number() }),
    },
  },
  'GET /api/endpoints/{id}/replays': {
    summary: 'List an endpoint’s bulk replays with their progress, newest first',
    tag: 'replays',
    access: 'endpoint',
    scope: 'read',
    query: v.object(pageEntries(MAX_LIMIT)),
    status: 200,
    response: pageSchema(replayJobSchema),
  },
  'GET /api/endpoints/{id}/replays/{jobId}': {
    summary: 'Get a bulk replay with its progress',
    tag: 'replays',
    access: 'endpoint',
    scope: 'read',
    status: 200,
    response: replayJobSchema,
  },
  'DELETE /api/endpoints/{id}/replays/{jobId}': {
    summary: 'Stop a bulk replay and cancel its open deliveries; one that is over stays as it is',
    tag: 'replays',
    access: 'endpoint',
    scope: 'write',
    audit: 'replay.cancel',
    status: 204,
  },
} as const satisfies Calls;
