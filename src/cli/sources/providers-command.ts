import type { Command } from '@commander-js/extra-typings';
import type { ProviderAnswer } from '../../api/sources/provider-answer.ts';
import { remote, withRemote } from '../client/remote-command.ts';
import type { Column } from '../terminal/output.ts';

export const PROVIDER_COLUMNS: Column<ProviderAnswer>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'verifies', value: ({ verifies }) => yes(verifies) },
  { title: 'signs', value: ({ signs }) => yes(signs) },
  { title: 'handshake', value: ({ handshake }) => yes(handshake) },
  { title: 'title', value: ({ title }) => title },
  { title: 'fields', value: ({ fields }) => fields.join(', '), optional: true },
  {
    title: 'dedupes by',
    value: ({ dedupes_by }) => dedupes_by?.join(', ') ?? '',
    elastic: true,
    optional: true,
  },
  {
    title: 'signs, but',
    value: ({ signs_note }) => signs_note ?? '',
    elastic: true,
    optional: true,
  },
];

export function addProvidersCommand(program: Command): void {
  remote(
    program
      .command('providers')
      .description('list the providers that hookrelay knows, and what it can do for each'),
    'providers',
    "providers --json | jq -r '.[] | select(.verifies).name'",
  ).action(
    withRemote(async ({ client, out }) => {
      const providers = await client.call('GET /api/providers');
      out.table(providers, PROVIDER_COLUMNS, 'The server knows no provider.');
    }),
  );
}

function yes(is: boolean): string {
  return is ? 'yes' : '';
}
