import { type Command, Option } from 'commander';
import type { EventType, Page } from '../../api/api-types.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { notePages, type PageFlags, pageOptions } from '../client/page-options.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import type { Column } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const MAX_LIMIT = 500;
/** Those of the server, which checks the choice: a newer one may know more. */
const FORMATS = 'typescript, zod, jsonschema, pydantic or go';

const COLUMNS: Column<EventType>[] = [
  { title: 'type', value: ({ type }) => type ?? '(none)', elastic: true },
  { title: 'provider', value: ({ provider }) => provider ?? '', optional: true },
  { title: 'count', value: ({ count }) => String(count), align: 'right' },
  { title: 'first', value: ({ first_at }) => timeText(first_at), optional: true },
  { title: 'last', value: ({ last_at }) => timeText(last_at), optional: true },
];

/** `hookrelay types …`: the types of events that an endpoint has received. */
export function addTypesCommand(program: Command): void {
  const group = program
    .command('types')
    .description('the types of events that an endpoint received: list, schema')
    .addHelpText('after', examplesText(['types list orders', 'types schema orders order.paid']));
  const list = group
    .command('list')
    .description("list an endpoint's types, the last seen first")
    .argument('<endpoint>', ENDPOINT_HELP);
  for (const option of pageOptions('types', MAX_LIMIT)) list.addOption(option);
  remote(list, 'types list orders', "types list orders --json | jq -r '.data[].type'").action(
    withRemote(listTypes),
  );
  remote(
    group
      .command('schema')
      .description('write the schema of a type, made from all its events')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[type]', 'the type; without it, the events that have no type')
      .addOption(new Option('--format <format>', FORMATS).default('typescript')),
    'types schema orders order.paid >order-paid.ts',
    'types schema orders order.paid --format zod',
  ).action(withRemote(writeSchema));
}

async function listTypes(
  { client, out }: Remote,
  reference: string,
  { limit, page }: PageFlags,
): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const found = await client.call<Page<EventType>>('GET', `/api/endpoints/${id}/types`, {
    query: { limit, page },
  });
  if (out.json) {
    out.jsonValue(found);
    return;
  }
  const empty = `${name} has no type yet: it learns them from its events.`;
  out.rows(found.data, COLUMNS, found.total > 0 ? 'This page has no type.' : empty);
  notePages(out, 'type', found);
}

async function writeSchema(
  { client, out }: Remote,
  reference: string,
  type: string | undefined,
  { format }: { format: string },
): Promise<void> {
  const { id } = await findEndpoint(client, reference);
  const path = `/api/endpoints/${id}/types/schema`;
  const made = await client.call<{ schema: string }>('GET', path, { query: { type, format } });
  if (out.json) out.jsonValue(made);
  // Only the text: people redirect it to a file.
  else out.text(made.schema);
}
