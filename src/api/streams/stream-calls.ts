import * as v from 'valibot';
import { timestampSchema } from '../../core/settings/timestamp-schema.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { contentEntries } from '../events/event-filter-schema.ts';

export const querySchema = v.object({ from: v.optional(timestampSchema), ...contentEntries });

const headersSchema = v.object({
  'Last-Event-ID': v.optional(
    about(
      v.string(),
      'Id of the last item read. The stream continues after it and ignores `from`.',
    ),
  ),
});

const common = {
  tag: 'live',
  scope: 'read',
  query: querySchema,
  headers: headersSchema,
  mediaType: 'text/event-stream',
} as const;

export const STREAM_CALLS = {
  'GET /api/stream': {
    ...common,
    access: 'account-part',
    summary: 'Follow all endpoints of the account live (server-sent events)',
  },
  'GET /api/endpoints/{id}/stream': {
    ...common,
    access: 'endpoint',
    summary: 'Follow one endpoint live (server-sent events)',
  },
} as const satisfies Calls;
