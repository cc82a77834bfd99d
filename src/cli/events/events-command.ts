import { isUtf8 } from 'node:buffer';
import type { Command } from '@commander-js/extra-typings';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { Page } from '../../api/list-page-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventId, idOf, repeated, someText } from '../arguments.ts';
import { checkRule } from '../check-rule.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { eventHead, eventParams } from '../client/event-params.ts';
import { notePages, pageFlags } from '../client/page-flags.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { warnOfValues } from '../client/unfit-values.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { printableLines } from '../terminal/output.ts';
import { deleteEvents } from './delete-events.ts';
import { editEvent } from './edit-event.ts';
import { addEventEditFlags } from './event-edit-flags.ts';
import { addEventFilters, type EventFilterFlags, eventFilter } from './event-filter-flags.ts';
import { attemptColumns, eventColumns, namedColumns, withCheck } from './event-tables.ts';
import { type EventQuery, type ListEvents, searchOn, stoppedSearchIn } from './search-on.ts';
import { showAttempts } from './show-attempts.ts';
import { type PrintedEvent, showEvent } from './show-event.ts';

const MAX_LIMIT = 1000;

const addPageFlags = pageFlags('events', MAX_LIMIT);

const attemptId = idOf('att', 'an event or an attempt');

function eventOrAttemptId(value: string): string {
  return value.startsWith('evt_') ? eventId(value) : attemptId(value);
}

const addPaging = commandPart((command) =>
  addPageFlags(command).option(
    // Without `--json`, the command continues a stopped search by itself.
    '--cursor <cursor>',
    'continue a search that took too long; its --json answer has the cursor',
    someText,
  ),
);

type ListFlags = EventFilterFlags & FlagsOf<typeof addPaging>;

export function addEventsCommand(program: Command): void {
  const group = program
    .command('events')
    .description('captured events: list, search, get, attempts, raw, edit, delete')
    .addHelpText(
      'after',
      examplesText(['events list orders --status failed', 'events get evt_01kxyz…']),
    );
  addLists(group);
  addReads(group);
  addChanges(group);
}

function addLists(group: Command): void {
  remote(
    addPaging(
      addEventFilters(
        group
          .command('list')
          .description('list events, newest first')
          .argument('[endpoint]', `${ENDPOINT_HELP} (default: all)`),
      ),
    ),
    'events list',
    'events list orders --status failed --from 24h',
    "events list orders --where 'body.amount>=1000 and body.currency=eur'",
    'events list orders --q grace@example.com --from 2026-01-31 --limit 1000',
    "events list orders --json | jq -r '.data[].id'",
  ).action(withRemote(listEvents));
  remote(
    addPaging(
      addEventFilters(
        group
          .command('search')
          .description('list events whose body contains a text (exact case)')
          .usage('[options] [endpoint] <text>')
          .argument('<endpoint>', `${ENDPOINT_HELP} (default: all)`)
          .argument('[text]', 'text to find'),
        'q',
      ),
    ),
    'events search grace@example.com',
    'events search orders grace@example.com',
    'events search orders \'"total": 42\' --method POST --from 7d',
  ).action(
    withRemote((context, first, second, flags) => {
      const [reference, q] = second === undefined ? [undefined, first] : [first, second];
      if (q === '') throw usageError('there is no text to find');
      return listEvents(context, reference, { ...flags, q });
    }),
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
      .argument('<event>', "the event's id", eventId)
      .option('--verbose', 'show both sides: what was sent and what was answered'),
    'events attempts evt_01kxyz…',
    'events attempts evt_01kxyz… --verbose',
    "events attempts evt_01kxyz… --json | jq '.[-1].response_body'",
  ).action(withRemote(listAttempts));
  remote(
    group
      .command('raw')
      .description("write an event's body, or the body that an attempt sent, byte for byte")
      .argument('<event>', "the event's id, or the attempt's", eventOrAttemptId)
      .option('--force', 'write to a terminal, even control characters')
      .option('--json', 'print JSON: id, size, and the bytes in base64'),
    'events raw evt_01kxyz… >body.bin',
    'events raw evt_01kxyz… | jq',
    'events raw att_01kxyz… >sent.bin',
  ).action(withRemote(writeRaw));
}

function addChanges(group: Command): void {
  remote(
    addEventEditFlags(
      group
        .command('edit')
        .description('capture an edited copy of an event; without a change, $EDITOR opens its body')
        .argument('<event>', "the event's id", eventId),
    ),
    'events edit evt_01kxyz…',
    `events edit evt_01kxyz… --body '{"amount": 500}'`,
    "events edit evt_01kxyz… --path /v2 --header 'x-team: billing' --header 'x-old:'",
    'events edit evt_01kxyz… --body-file - <body.json',
    'events edit evt_01kxyz… --to staging',
  ).action(withRemote(editEvent));
  remote(
    group
      .command('delete')
      .description('delete events permanently; their open deliveries are cancelled')
      .argument('<event...>', 'event ids', repeated(eventId))
      .option('--yes', 'do not ask for confirmation')
      .option('--json', 'print JSON, one object per line: the id, and "deleted": true'),
    'events delete evt_01kxyz…',
    'events delete evt_01kxyz… --yes',
  ).action(withRemote(deleteEvents));
}

async function listEvents(
  context: Remote,
  reference: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { client, out } = context;
  if (flags.where !== undefined) await checkRule(flags.where, '--where');
  const endpoint = reference === undefined ? null : await findEndpoint(client, reference);
  if (endpoint) await warnOfValues(context, endpoint.id, flags.where);
  const { limit, page, cursor } = flags;
  const filter = eventFilter(flags);
  const query = { ...filter, cursor };
  const list: ListEvents = (given, waitingFor) => {
    const asked = {
      query: { ...given, view: 'summary' as const },
      ...(waitingFor !== undefined && { waitingFor }),
    };
    return endpoint
      ? client.call('GET /api/endpoints/{id}/events', { params: { id: endpoint.id }, ...asked })
      : client.call('GET /api/events', asked);
  };
  if (out.json) {
    await printPage(context, list, { ...query, limit, page });
    return;
  }
  const found = await searchOn(context, list, query, flags);
  const columns =
    endpoint || found.data.length === 0 ? eventColumns : namedColumns(await endpointsOf(client));
  const empty = emptyText(endpoint, Object.keys(filter).length > 0);
  const shown = withCheck(columns, found.data);
  out.rows(found.data, shown, found.total > 0 ? 'This page has no event.' : empty);
  if (found.isPart) out.note(partText(found));
  else notePages(out, 'event', found);
}

/** If the server stops the search, prints the matches so far and throws the error. */
async function printPage({ out }: Remote, list: ListEvents, query: EventQuery): Promise<void> {
  try {
    out.jsonValue(await list(query));
  } catch (error) {
    const stopped = stoppedSearchIn(error);
    if (!(error instanceof HookrelayError) || !stopped) throw error;
    out.jsonValue(stopped);
    throw new HookrelayError(error.code, error.message, {
      hint: `go on: --cursor ${stopped.cursor}`,
    });
  }
}

function partText({ page, total }: Page<EventSummaryAnswer>): string {
  const matches = total === 1 ? '1 event' : `${total} events`;
  return `${matches} or more match: older events were not searched; next: --page ${page + 1}`;
}

/** @param endpoint null for all endpoints */
function emptyText(endpoint: EndpointAnswer | null, isFiltered: boolean): string {
  if (isFiltered) return endpoint ? `No event of ${endpoint.name} matches.` : 'No event matches.';
  if (!endpoint) return 'There is no event yet. hookrelay endpoints list has the capture URLs.';
  return `${endpoint.name} has no event yet. Send one: curl -d '{}' ${endpoint.capture_url}`;
}

async function endpointsOf(client: ApiClient): Promise<EndpointAnswer[]> {
  return client.call('GET /api/endpoints');
}

async function getEvent({ client, out }: Remote, id: string): Promise<void> {
  // Keep the text, because parsing would round large numbers.
  const text = await client.call('GET /api/events/{eventId}', {
    params: { eventId: id },
    as: 'text',
  });
  if (!out.asJsonText(text)) showEvent(out, JSON.parse(text) as PrintedEvent, text);
}

async function listAttempts(
  { client, out }: Remote,
  id: string,
  { verbose }: { verbose?: boolean },
): Promise<void> {
  const event = await eventHead(client, id);
  const attempts = await client.call('GET /api/endpoints/{id}/events/{eventId}/deliveries', {
    params: { id: event.endpoint_id, eventId: id },
  });
  if (verbose && !out.json) showAttempts(out, attempts, event);
  else out.table(attempts, attemptColumns, 'No attempt was made yet.');
}

async function writeRaw(
  { client, out }: Remote,
  id: string,
  { force }: { force?: boolean },
): Promise<void> {
  const body = id.startsWith('att_')
    ? await client.call('GET /api/attempts/{attemptId}/request', {
        params: { attemptId: id },
        as: 'bytes',
      })
    : await client.call('GET /api/endpoints/{id}/events/{eventId}/raw', {
        params: await eventParams(client, id),
        as: 'bytes',
      });
  if (out.asJson({ id, size: body.length, base64: body.toString('base64') })) return;
  if (process.stdout.isTTY && !force && !isHarmless(body)) {
    throw failure(
      'a terminal cannot show this body: it is binary or has control characters',
      'redirect it to a file, or add --force',
    );
  }
  out.bytes(body);
}

/** Returns whether a body is text without control characters, which could change the terminal. */
function isHarmless(body: Buffer): boolean {
  if (!isUtf8(body)) return false;
  const text = body.toString('utf8').replaceAll('\r\n', '\n').replaceAll('\t', ' ');
  return printableLines(text) === text;
}
