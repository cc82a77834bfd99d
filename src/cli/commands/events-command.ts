import { isUtf8 } from 'node:buffer';
import type { Command } from 'commander';
import type { Attempt, EventSummary, Page } from '../../api/api-types.ts';
import { eventId, someText } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { eventPath } from '../client/event-path.ts';
import { notePages, type PageFlags, pageOptions } from '../client/page-options.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { type EventFilterFlags, eventFilter, eventFilterOptions } from '../events/event-filter.ts';
import { attemptColumns, eventColumns } from '../events/event-tables.ts';
import { type EventDetail, showEvent } from '../events/event-view.ts';
import { printableLines } from '../terminal/output.ts';

const MAX_LIMIT = 1000;

interface ListFlags extends EventFilterFlags, PageFlags {}

/** `hookrelay events …`: captured events and their deliveries. */
export function addEventsCommand(program: Command): void {
  const group = program
    .command('events')
    .description('captured events: list, search, get, attempts, raw')
    .addHelpText(
      'after',
      examplesText(['events list orders --status failed', 'events get evt_01kxyz…']),
    );
  addLists(group);
  addReads(group);
}

function addLists(group: Command): void {
  const list = group
    .command('list')
    .description("list an endpoint's events, newest first")
    .argument('<endpoint>', ENDPOINT_HELP);
  for (const option of [...eventFilterOptions(), ...pageOptions('events', MAX_LIMIT)])
    list.addOption(option);
  remote(
    list,
    'events list orders',
    'events list orders --status failed --from 24h',
    'events list orders --q grace@example.com --from 2026-01-31 --limit 1000',
    "events list orders --json | jq -r '.data[].id'",
  ).action(
    withRemote((context, reference: string, flags: ListFlags) =>
      listEvents(context, reference, flags),
    ),
  );

  const search = group
    .command('search')
    .description('list events whose body contains a text (exact case)')
    .argument('<endpoint>', ENDPOINT_HELP)
    .argument('<text>', 'text to find', someText);
  const filters = eventFilterOptions().filter(({ long }) => long !== '--q');
  for (const option of [...filters, ...pageOptions('events', MAX_LIMIT)]) search.addOption(option);
  remote(
    search,
    'events search orders grace@example.com',
    'events search orders \'"total": 42\' --method POST --from 7d',
  ).action(
    withRemote((context, reference: string, q: string, flags: ListFlags) =>
      listEvents(context, reference, { ...flags, q }),
    ),
  );
}

function addReads(group: Command): void {
  remote(
    group
      .command('get')
      .description('show the request, the body and the deliveries of an event')
      .argument('<event>', "the event's id", eventId),
    'events get evt_01kxyz…',
    'events get evt_01kxyz… --json | jq .body',
  ).action(withRemote(getEvent));
  remote(
    group
      .command('attempts')
      .description('list every delivery attempt of an event, oldest first')
      .argument('<event>', "the event's id", eventId),
    'events attempts evt_01kxyz…',
    "events attempts evt_01kxyz… --json | jq '.[-1].response_body'",
  ).action(withRemote(listAttempts));
  remote(
    group
      .command('raw')
      .description("write an event's body to stdout, byte for byte")
      .argument('<event>', "the event's id", eventId)
      .option('--force', 'write to a terminal, even control characters')
      .option('--json', 'print JSON: id, size, and the bytes in base64'),
    'events raw evt_01kxyz… >body.bin',
    'events raw evt_01kxyz… | jq',
  ).action(withRemote(writeRaw));
}

async function listEvents(
  { client, out }: Remote,
  reference: string,
  flags: ListFlags,
): Promise<void> {
  const { id, name, capture_url } = await findEndpoint(client, reference);
  const { limit, page } = flags;
  const filter = eventFilter(flags);
  const query = { ...filter, limit, page, view: 'summary' };
  const found = await client.call<Page<EventSummary>>('GET', `/api/endpoints/${id}/events`, {
    query,
  });
  if (out.json) {
    out.jsonValue(found);
    return;
  }
  const isFiltered = Object.keys(filter).length > 0;
  const empty = isFiltered
    ? `No event of ${name} matches.`
    : `${name} has no event yet. Send one: curl -d '{}' ${capture_url}`;
  out.rows(found.data, eventColumns, found.total > 0 ? 'This page has no event.' : empty);
  notePages(out, 'event', found);
}

async function getEvent({ client, out }: Remote, id: string): Promise<void> {
  // Kept as text: parsing would round large numbers of the sender.
  const text = await client.call<string>('GET', `/api/events/${id}`, { as: 'text' });
  if (out.json) out.jsonText(text);
  else showEvent(out, JSON.parse(text) as EventDetail, text);
}

async function listAttempts({ client, out }: Remote, id: string): Promise<void> {
  const path = await eventPath(client, id);
  const attempts = await client.call<Attempt[]>('GET', `${path}/deliveries`);
  out.table(attempts, attemptColumns, 'No attempt was made yet.');
}

async function writeRaw(
  { client, out }: Remote,
  id: string,
  { force }: { force?: boolean },
): Promise<void> {
  const path = await eventPath(client, id);
  const body = await client.call<Buffer>('GET', `${path}/raw`, { as: 'bytes' });
  if (out.json) {
    const shown = { id, size: body.length, base64: body.toString('base64') };
    out.jsonValue(shown);
    return;
  }
  if (process.stdout.isTTY && !force && !isHarmless(body)) {
    throw failure(
      'a terminal cannot show this body: it is binary or has control characters',
      'redirect it to a file, or add --force',
    );
  }
  out.bytes(body);
}

/** Whether a body is text without control characters for a terminal. */
function isHarmless(body: Buffer): boolean {
  if (!isUtf8(body)) return false;
  const text = body.toString('utf8').replaceAll('\r\n', '\n').replaceAll('\t', ' ');
  return printableLines(text) === text;
}
