import { type Command, Option } from '@commander-js/extra-typings';
import type { CallQuery } from '../../api/client/typed-call.ts';
import type { EventTypeAnswer } from '../../api/types/event-type-answer.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import type { Column } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

/** The formats in the help. The server checks the choice, because newer servers may have more. */
const FORMATS = 'typescript, zod, jsonschema, pydantic or go';

const COLUMNS: Column<EventTypeAnswer>[] = [
  { title: 'type', value: ({ type }) => type ?? '(none)', elastic: true },
  { title: 'provider', value: ({ provider }) => provider ?? '', optional: true },
  { title: 'count', value: ({ count }) => String(count), align: 'right' },
  { title: 'first', value: ({ first_at }) => timeText(first_at), optional: true },
  { title: 'last', value: ({ last_at }) => timeText(last_at), optional: true },
];

export function addTypesCommand(program: Command): void {
  const group = program
    .command('types')
    .description('the types of events that an endpoint received: list, schema')
    .addHelpText('after', examplesText(['types list orders', 'types schema orders order.paid']));
  const list = group
    .command('list')
    .description("list an endpoint's types, most recently seen first")
    .argument('<endpoint>', ENDPOINT_HELP);
  remote(list, 'types list orders', "types list orders --json | jq -r '.[].type'").action(
    withRemote(listTypes),
  );
  remote(
    group
      .command('schema')
      .description('write the schema of a type, derived from all its events')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[type]', 'type of the events (default: events without a type)')
      .addOption(new Option('--format <format>', FORMATS).default<string>('typescript')),
    'types schema orders order.paid >order-paid.ts',
    'types schema orders order.paid --format zod',
  ).action(withRemote(writeSchema));
}

async function listTypes({ client, out }: Remote, reference: string): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const found = await client.call('GET /api/endpoints/{id}/types', { params: { id } });
  if (out.asJson(found)) return;
  out.rows(found, COLUMNS, `${name} has no type yet: hookrelay learns types from events.`);
}

async function writeSchema(
  { client, out }: Remote,
  reference: string,
  type: string | undefined,
  { format }: { format: string },
): Promise<void> {
  const { id } = await findEndpoint(client, reference);
  const made = await client.call('GET /api/endpoints/{id}/types/schema', {
    params: { id },
    // The server checks the format.
    query: { type, format: format as CallQuery<'GET /api/endpoints/{id}/types/schema'>['format'] },
  });
  if (out.json) out.jsonValue(made);
  // Print nothing else, because people redirect the text to a file.
  else out.text(made.schema);
}
