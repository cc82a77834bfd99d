import * as v from 'valibot';
import { ISSUE_KIND, ISSUE_STATES, SETTABLE_STATES } from '../../core/issues/issue.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
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
  state: v.pipe(
    v.picklist(SETTABLE_STATES, `must be one of ${SETTABLE_STATES.join(', ')}`),
    v.description(
      'acknowledged: somebody works on it, and it stays silent; resolved: it is over, and opens ' +
        'again when it happens again; ignored: it counts on and stays silent.',
    ),
  ),
});

export const issueSchema = v.object({
  id: v.string(),
  kind: v.picklist(ISSUE_KIND.names),
  state: v.picklist(ISSUE_STATES),
  endpoint_id: v.pipe(v.nullable(v.string()), v.description('Null for an `alert`.')),
  destination_id: v.pipe(
    v.nullable(v.string()),
    v.description('Null for a kind that is not about a destination, and for an `alert`.'),
  ),
  title: v.pipe(v.string(), v.description('What is wrong, on one line.')),
  cause: v.string(),
  suggestion: v.pipe(v.string(), v.description('What to do, a step a line.')),
  count: v.pipe(v.number(), v.description('How often the cause was seen since it opened.')),
  first_at: isoTimeSchema,
  last_at: v.pipe(
    isoTimeSchema,
    v.description('When the cause was last seen; of a resolved issue, when it was resolved.'),
  ),
  event_ids: v.pipe(
    v.array(v.string()),
    v.description('The newest events that show the cause, newest first, at most 10.'),
  ),
});
