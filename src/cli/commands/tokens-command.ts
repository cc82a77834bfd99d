import type { Command } from 'commander';
import type { ApiToken } from '../../api/api-types.ts';
import { idOf } from '../arguments.ts';
import { examplesText, remote, withRemote } from '../client/remote-command.ts';
import type { Column } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const COLUMNS: Column<ApiToken>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'name', value: ({ name }) => name, elastic: true },
  { title: 'created', value: ({ created_at }) => timeText(created_at) },
  {
    title: 'last used',
    value: ({ last_used_at }) => (last_used_at ? timeText(last_used_at) : 'never'),
  },
];

/** `hookrelay tokens …`: API tokens for scripts and CI. */
export function addTokensCommand(program: Command): void {
  const group = program
    .command('tokens')
    .description('API tokens for scripts and CI: list, create, revoke')
    .addHelpText('after', examplesText(['tokens create ci', 'tokens list']));
  remote(
    group.command('list').description("list the account's API tokens, newest first"),
    'tokens list',
  ).action(
    withRemote(async ({ client, out }) => {
      const tokens = await client.call<ApiToken[]>('GET', '/api/tokens');
      out.table(tokens, COLUMNS, 'There is no API token. Make one: hookrelay tokens create NAME');
    }),
  );
  remote(
    group
      .command('create')
      .description('create an API token and print it once')
      .argument('<name>', 'name of your choice'),
    'tokens create ci',
    'tokens create ci --json | jq -r .token',
  ).action(
    withRemote(async ({ client, out }, name: string) => {
      const body = { name };
      const created = await client.call<ApiToken & { token: string }>('POST', '/api/tokens', {
        body,
      });
      if (out.json) {
        out.jsonValue(created);
        return;
      }
      out.text(created.token);
      out.note(`Commands use it from HOOKRELAY_TOKEN. It is not shown again (${created.id}).`);
    }),
  );
  remote(
    group
      .command('revoke')
      .description('revoke an API token at once')
      .argument('<id>', "the token's id", idOf('tok', 'an API token'))
      .option('--json', 'print JSON: the id, and "revoked": true'),
    'tokens revoke tok_01kxyz…',
  ).action(
    withRemote(async ({ client, out }, id: string) => {
      await client.call('DELETE', `/api/tokens/${id}`);
      if (out.json) out.jsonValue({ id, revoked: true });
      else out.note(`Revoked ${id}.`);
    }),
  );
}
