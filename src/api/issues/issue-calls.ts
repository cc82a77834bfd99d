import type { Calls } from '../contract.ts';
import { pageSchema } from '../list-page-schema.ts';
import { issueListSchema, issuePatchSchema, issueSchema } from './issue-schema.ts';

export const ISSUE_CALLS = {
  'GET /api/issues': {
    summary: 'List issues, the last changed first',
    tag: 'issues',
    access: 'account-part',
    scope: 'read',
    query: issueListSchema,
    response: pageSchema(issueSchema),
  },
  'GET /api/issues/{issueId}': {
    summary: 'Get an issue',
    tag: 'issues',
    access: 'issue',
    scope: 'read',
    response: issueSchema,
  },
  'PATCH /api/issues/{issueId}': {
    summary: 'Acknowledge, resolve or ignore an issue',
    tag: 'issues',
    access: 'issue',
    scope: 'write',
    audit: 'issue.update',
    body: issuePatchSchema,
    response: issueSchema,
  },
} as const satisfies Calls;
