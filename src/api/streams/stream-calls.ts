import * as v from 'valibot';
import { timestampSchema } from '../../core/settings/timestamp-schema.ts';
import type { Calls } from '../contract.ts';
import { contentEntries } from '../events/event-filter-schema.ts';

export const querySchema = v.object({ from: v.optional(timestampSchema), ...contentEntries });

const headersSchema = v.object({
  'Last-Event-ID': v.optional(
    v.pipe(
      v.string(),
      v.description('Id of the last item read. The stream continues after it and ignores `from`.'),
    ),
  ),
});

export const STREAM_CALLS = {
  'GET /api/stream': {
    summary: 'Follow all endpoints of the account live (server-sent events)',
    tag: 'live',
    access: 'account-part',
    scope: 'read',
    query: querySchema,
    headers: headersSchema,
    status: 200,
    mediaType: 'text/event-stream',
  },
  'GET /api/endpoints/{id}/stream': {
    summary: 'Follow one endpoint live (server-sent events)',
    tag: 'live',
    access: 'endpoint',
    scope: 'read',
    query: querySchema,
    headers: headersSchema,
    status: 200,
    mediaType: 'text/event-stream',
  },
} as const satisfies Calls;
