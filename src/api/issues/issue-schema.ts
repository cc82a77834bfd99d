import * as v from 'valibot';
import { ISSUE_KIND, ISSUE_STATES, SETTABLE_STATES } from '../../core/issues/issue.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pageEntries } from '../list-page-schema.ts';

const MAX_LIMIT = 200;

/** Filters of the list. */
export const issueListSchema = v.object({
  state: v.optional(v.picklist(ISSUE_STATES, `must be one of ${ISSUE_STATES.join(', ')}`)),
  kind: v.optional(v.picklist(ISSUE_KIND.names, `must be one of ${ISSUE_KIND.names.join(', ')}`)),
  endpoint: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,64}$/, 'must be the id of an endpoint'),
      v.description('Id of an endpoint.'),
    ),
  ),
  ...pageEntries(MAX_LIMIT),
});

export const issuePatchSchema = strictObject({
  state: about(
    v.picklist(SETTABLE_STATES, `must be one of ${SETTABLE_STATES.join(', ')}`),
    'acknowledged: somebody works on it, and it stays silent; resolved: it is over, and opens ' +
      'again when it happens again; ignored: it counts on and stays silent.',
  ),
});

export const issueSchema = v.object({
  id: v.string(),
  kind: v.picklist(ISSUE_KIND.names),
  state: v.picklist(ISSUE_STATES),
  endpoint_id: about(v.nullable(v.string()), 'Null for an `alert`.'),
  destination_id: about(
    v.nullable(v.string()),
    'Null for a kind that is not about a destination, and for an `alert`.',
  ),
  title: about(v.string(), 'What is wrong, on one line.'),
  cause: v.string(),
  suggestion: about(v.string(), 'What to do, a step a line.'),
  count: about(v.number(), 'How often the cause was seen since it opened.'),
  first_at: isoTimeSchema,
  last_at: about(
    isoTimeSchema,
    'When the cause was last seen; of a resolved issue, when it was resolved.',
  ),
  event_ids: about(
    v.array(v.string()),
    'The newest events that show the cause, newest first, at most 10.',
  ),
});
