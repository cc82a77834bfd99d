import type { Command } from '@commander-js/extra-typings';
import type { CallParams } from '../../api/client/typed-call.ts';
import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import type { RejectedRequestAnswer } from '../../api/events/rejected-request-answer.ts';
import { formatSize } from '../../core/text/size.ts';
import { idOf } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { type PageFlags, pageFlags, showPage } from '../client/page-flags.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { hasCode, withHint } from '../command-error.ts';
import { commandPart } from '../command-part.ts';
import { type Column, printable } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { timeText } from '../terminal/value-text.ts';
import { typeText } from './event-tables.ts';
import { type PrintedRejected, showRejected } from './show-event.ts';

const MAX_LIMIT = 1000;

const addPageFlags = pageFlags('rejected requests', MAX_LIMIT);

const rejectedId = idOf('rej', 'a rejected request');

const COLUMNS: Column<RejectedRequestAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'reason', value: ({ verification }) => verification.reason ?? '' },
  { title: 'received', value: ({ received_at }) => timeText(received_at) },
  { title: 'method', value: ({ method }) => method, optional: true },
  { title: 'from', value: ({ source_ip }) => source_ip, optional: true },
  { title: 'type', value: typeText, elastic: true, optional: true },
  { title: 'path', value: ({ path }) => path, elastic: true, optional: true },
  { title: 'size', value: ({ size }) => formatSize(size), optional: true, align: 'right' },
];

export function addRejectedCommand(program: Command): void {
  const group = program
    .command('rejected')
    .description('requests that an enforced source refused: list, get, accept')
    .addHelpText(
      'after',
      examplesText(['rejected list orders', 'rejected accept orders rej_01kxyz…']),
    );
  remote(
    addPageFlags(
      group
        .command('list')
        .description("list an endpoint's rejected requests, newest first")
        .argument('<endpoint>', ENDPOINT_HELP),
    ),
    'rejected list orders',
    "rejected list orders --json | jq -r '.data[].verification.reason'",
  ).action(withRemote(listRejected));
  remote(
    withId(group.command('get').description('show a rejected request and its body')),
    'rejected get orders rej_01kxyz…',
    'rejected get orders rej_01kxyz… --json | jq .body',
  ).action(withRemote(getRejected));
  remote(
    withId(
      group
        .command('accept')
        .description(
          'verify the request again with the present secrets, then capture and deliver it',
        ),
    ),
    'rejected accept orders rej_01kxyz…',
  ).action(withRemote(acceptRejected));
}

const withId = commandPart((command) =>
  command
    .argument('<endpoint>', ENDPOINT_HELP)
    .argument('<request>', "the rejected request's id", rejectedId),
);

async function listRejected(
  { client, out }: Remote,
  reference: string,
  { limit, page }: PageFlags,
): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const found = await client.call('GET /api/endpoints/{id}/rejected', {
    params: { id },
    query: { limit, page },
  });
  showPage(out, 'request', found, COLUMNS, `${name} has no rejected request.`);
}

async function getRejected(context: Remote, reference: string, id: string): Promise<void> {
  const { client, out } = context;
  await withRequest(context, reference, id, async (params) => {
    // Keep the text, because parsing would round large numbers.
    const text = await client.call('GET /api/endpoints/{id}/rejected/{rejectedId}', {
      params,
      as: 'text',
    });
    if (!out.asJsonText(text)) showRejected(out, JSON.parse(text) as PrintedRejected, text);
  });
}

async function acceptRejected(context: Remote, reference: string, id: string): Promise<void> {
  const { client, out } = context;
  await withRequest(context, reference, id, async (params) => {
    const text = await client.call('POST /api/endpoints/{id}/rejected/{rejectedId}/accept', {
      params,
      as: 'text',
    });
    if (out.asJsonText(text)) return;
    const { id: eventId, duplicate_of } = JSON.parse(text) as EventHeadAnswer;
    const event = printable(eventId);
    out.line(event);
    const fate = duplicate_of
      ? `It repeats ${printable(duplicate_of)} and is not delivered`
      : 'It is delivered like any event';
    out.note(`${fate}: hookrelay events get ${event}`);
  });
}

/** @param run gets the path parameters of the request in the API */
async function withRequest(
  { client }: Remote,
  reference: string,
  id: string,
  run: (params: CallParams<'GET /api/endpoints/{id}/rejected/{rejectedId}'>) => Promise<void>,
): Promise<void> {
  const endpoint = await findEndpoint(client, reference);
  try {
    await run({ id: endpoint.id, rejectedId: id });
  } catch (error) {
    if (!hasCode(error, 'rejected_not_found')) throw error;
    throw withHint(error, `hookrelay rejected list ${shellWord(endpoint.name)}`);
  }
}
