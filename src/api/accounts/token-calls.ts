import * as v from 'valibot';
import { TOKEN_SCOPES } from '../../core/model.ts';
import { durationSchema } from '../../core/settings/duration-schema.ts';
import { nameSchema } from '../../core/settings/name-schema.ts';
import { MINUTE_MS } from '../../core/text/duration.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { endpointIdsSchema } from '../id-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';

const NAME_MAX_CHARACTERS = 100;

const TEN_YEARS_MS = 3652 * 86_400_000;

const scopesSchema = v.pipe(
  v.array(
    v.picklist(TOKEN_SCOPES, 'must be read or write'),
    'must be ["read"] or ["read", "write"]',
  ),
  v.metadata({
    description: '`["read"]` or `["read", "write"]`, which is the default.',
    contains: { const: 'read' },
    uniqueItems: true,
  }),
  v.check(
    (scopes) => scopes.includes('read') && new Set(scopes).size === scopes.length,
    'must be ["read"] or ["read", "write"]',
  ),
);

const newTokenSchema = v.object({
  name: nameSchema(NAME_MAX_CHARACTERS, 'The token’s purpose.', 'ci'),
  scopes: v.nullish(scopesSchema),
  endpoint_ids: v.nullish(
    about(endpointIdsSchema, 'Ids of the only endpoints that the token sees. The default is all.'),
  ),
  expires_in: v.nullish(
    durationSchema('Time until the token expires. The default is never.', {
      leastMs: MINUTE_MS,
      mostMs: TEN_YEARS_MS,
      example: '30d',
    }),
  ),
});

export const tokenSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.picklist(TOKEN_SCOPES)),
  endpoint_ids: about(
    v.nullable(v.array(v.string())),
    'The only endpoints that the token sees; null for all.',
  ),
  created_at: isoTimeSchema,
  last_used_at: about(v.nullable(isoTimeSchema), 'To the minute.'),
  expires_at: about(v.nullable(isoTimeSchema), 'Null for a token without an end.'),
});

export const createdTokenSchema = v.object({
  ...tokenSchema.entries,
  token: about(v.string(), 'The bearer token. Only this answer shows it: store it now.'),
});

const session = { tag: 'tokens', access: 'session' } as const;

export const TOKEN_CALLS = {
  'GET /api/tokens': {
    ...session,
    summary: "List the account's API tokens, newest first",
    response: v.array(tokenSchema),
  },
  'POST /api/tokens': {
    ...session,
    summary: 'Create an API token for scripts and CI',
    audit: 'token.create',
    body: newTokenSchema,
    status: 201,
    response: createdTokenSchema,
  },
  'DELETE /api/tokens/{tokenId}': {
    ...session,
    summary: 'Revoke an API token at once',
    audit: 'token.delete',
    status: 204,
  },
} as const satisfies Calls;
