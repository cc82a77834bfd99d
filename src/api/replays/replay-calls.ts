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

const read = { tag: 'replays', access: 'endpoint', scope: 'read' } as const;
const write = { tag: 'replays', access: 'endpoint', scope: 'write' } as const;

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
    ...write,
    summary: 'Start a bulk replay of all matching events, or only count them (dry_run)',
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
    ...read,
    summary: 'List an endpoint’s bulk replays with their progress, newest first',
    query: v.object(pageEntries(MAX_LIMIT)),
    response: pageSchema(replayJobSchema),
  },
  'GET /api/endpoints/{id}/replays/{jobId}': {
    ...read,
    summary: 'Get a bulk replay with its progress',
    response: replayJobSchema,
  },
  'DELETE /api/endpoints/{id}/replays/{jobId}': {
    ...write,
    summary: 'Stop a bulk replay and cancel its open deliveries; one that is over stays as it is',
    audit: 'replay.cancel',
    status: 204,
  },
} as const satisfies Calls;
