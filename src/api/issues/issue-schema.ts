import * as v from 'valibot';
import { ISSUE_KIND, ISSUE_STATES, SETTABLE_STATES } from '../../core/issues/issue.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { idSchema } from '../id-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pageEntries } from '../list-page-schema.ts';
import { oneOf } from '../one-of.ts';

const MAX_LIMIT = 200;

export const issueListSchema = v.object({
  state: v.optional(oneOf(ISSUE_STATES)),
  kind: v.optional(oneOf(ISSUE_KIND.names)),
  endpoint: v.optional(about(idSchema('endpoint'), 'Id of an endpoint.')),
  ...pageEntries(MAX_LIMIT),
});

export const issuePatchSchema = strictObject({
  state: about(
    oneOf(SETTABLE_STATES),
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
  last_at: about(isoTimeSchema, 'When the cause was last seen, or when the issue was resolved.'),
  event_ids: about(
    v.array(v.string()),
    'The newest events that show the cause, newest first, at most 10.',
  ),
});
