import { type Command, Option } from '@commander-js/extra-typings';
import type { ApiTokenAnswer } from '../../api/accounts/api-token-answer.ts';
import type { CallBody } from '../../api/client/typed-call.ts';
import { counted } from '../../core/text/words.ts';
import { duration, idOf, repeated } from '../arguments.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import type { Column } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const addCreateFlags = commandPart((command) =>
  command
    .addOption(
      new Option('--scope <scope>', 'read, or write, which includes read (default: write)').choices(
        ['read', 'write'],
      ),
    )
    .option(
      '--endpoint <endpoint>',
      'only this endpoint (repeatable; default: all): its id, name or capture URL',
      repeated(),
    )
    .option('--expires <time>', 'time until it expires: 1m to 3652d (default: never)', duration),
);

const COLUMNS: Column<ApiTokenAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'name', value: ({ name }) => name, elastic: true },
  { title: 'scopes', value: ({ scopes }) => scopes.join(', ') },
  { title: 'endpoints', value: endpointsText, elastic: true },
  { title: 'created', value: ({ created_at }) => timeText(created_at), optional: true },
  {
    title: 'last used',
    value: ({ last_used_at }) => (last_used_at ? timeText(last_used_at) : 'never'),
    optional: true,
  },
  { title: 'expires', value: ({ expires_at }) => (expires_at ? timeText(expires_at) : 'never') },
];

export function addTokensCommand(program: Command): void {
  const group = program
    .command('tokens')
    .description('API tokens for scripts and CI: list, create, revoke')
    .addHelpText('after', examplesText(['tokens create ci --scope read', 'tokens list']));
  remote(
    group.command('list').description("list the account's API tokens, newest first"),
    'tokens list',
  ).action(
    withRemote(async ({ client, out }) => {
      const tokens = await client.call('GET /api/tokens');
      out.table(tokens, COLUMNS, 'There is no API token. Make one: hookrelay tokens create NAME');
    }),
  );
  remote(
    addCreateFlags(
      group
        .command('create')
        .description('create an API token and print it once')
        .argument('<name>', 'name of your choice'),
    ),
    'tokens create ci',
    'tokens create dashboard --scope read --endpoint orders --expires 30d',
    'tokens create ci --json | jq -r .token',
  ).action(withRemote(create));
  remote(
    group
      .command('revoke')
      .description('revoke an API token at once')
      .argument('<id>', "the token's id", idOf('tok', 'an API token'))
      .option('--json', 'print JSON: the id, and "revoked": true'),
    'tokens revoke tok_01kxyz…',
  ).action(
    withRemote(async ({ client, out }, id) => {
      await client.call('DELETE /api/tokens/{tokenId}', { params: { tokenId: id } });
      out.done({ id, revoked: true }, `Revoked ${id}.`);
    }),
  );
}

async function create(
  { client, out }: Remote,
  name: string,
  { scope, endpoint: references = [], expires }: FlagsOf<typeof addCreateFlags>,
): Promise<void> {
  const endpointIds: string[] = [];
  for (const one of references) endpointIds.push((await findEndpoint(client, one)).id);
  const body: CallBody<'POST /api/tokens'> = {
    name,
    ...(scope && { scopes: scope === 'read' ? ['read'] : ['read', 'write'] }),
    ...(endpointIds.length > 0 && { endpoint_ids: endpointIds }),
    ...(expires && { expires_in: expires }),
  };
  const created = await client.call('POST /api/tokens', { body });
  if (out.asJson(created)) return;
  out.text(created.token);
  out.note(`Commands use it from HOOKRELAY_TOKEN. It is not shown again (${created.id}).`);
}

function endpointsText({ endpoint_ids }: ApiTokenAnswer): string {
  if (!endpoint_ids) return 'all';
  return endpoint_ids.length === 1
    ? (endpoint_ids[0] as string)
    : counted(endpoint_ids.length, 'endpoint');
}
