import { type Command, Option } from '@commander-js/extra-typings';
import type { CallQuery } from '../../api/client/typed-call.ts';
import { ISSUE_KIND, ISSUE_STATES, type SettableState } from '../../core/issues/issue.ts';
import { idOf, repeated } from '../arguments.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { pageFlags, showPage } from '../client/page-flags.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { printable } from '../terminal/output.ts';
import { issueColumns, issuePairs } from './issue-output.ts';

const MAX_LIMIT = 200;

const addPageFlags = pageFlags('issues', MAX_LIMIT);
const ALL = 'all';

const issueId = idOf('iss', 'an issue');

export function addIssuesCommand(program: Command): void {
  const group = program
    .command('issues')
    .description('what is wrong, why, and what to do: list, get, ack, resolve, ignore')
    .addHelpText('after', examplesText(['issues list', 'issues get iss_01kxyz…']));
  addReads(group);
  addChanges(group);
}

const addListFlags = commandPart((command) =>
  addPageFlags(
    command
      .addOption(
        new Option('--state <state>', 'only issues in this state')
          .choices([...ISSUE_STATES, ALL])
          .default('open'),
      )
      .addOption(new Option('--kind <kind>', 'only issues of this kind').choices(ISSUE_KIND.names))
      .option('--endpoint <endpoint>', 'only issues of this endpoint: its id, name or capture URL'),
  ),
);

function addReads(group: Command): void {
  remote(
    addListFlags(group.command('list').description('list issues, most recently changed first')),
    'issues list',
    'issues list --state all --endpoint orders',
    "issues list --kind delivery --json | jq -r '.data[].id'",
  ).action(withRemote(listIssues));
  remote(
    group
      .command('get')
      .description('show an issue: its cause, what to do, and events that show it')
      .argument('<issue>', "the issue's id", issueId),
    'issues get iss_01kxyz…',
    "issues get iss_01kxyz… --json | jq -r '.event_ids[0]'",
  ).action(
    withRemote(async ({ client, out }, id) => {
      const issue = await client.call('GET /api/issues/{issueId}', { params: { issueId: id } });
      out.object(issue, issuePairs);
    }),
  );
}

async function listIssues(
  { client, out }: Remote,
  { state, kind, endpoint, limit, page }: FlagsOf<typeof addListFlags>,
): Promise<void> {
  const place = endpoint === undefined ? undefined : (await findEndpoint(client, endpoint)).id;
  const wanted = state === ALL ? undefined : state;
  const issuesOf = (query: CallQuery<'GET /api/issues'>) =>
    client.call('GET /api/issues', { query: { kind, endpoint: place, ...query } });
  const found = await issuesOf({ state: wanted, limit, page });
  let empty = wanted === undefined ? 'There is no issue.' : `No issue is ${state}.`;
  if (!out.json && found.total === 0 && state === 'open') {
    const { total } = await issuesOf({ state: 'acknowledged', limit: 1 });
    if (total > 0) empty += acknowledgedHint(total);
  }
  showPage(out, 'issue', found, issueColumns, empty);
}

/** Counts the acknowledged issues, because they are not over. */
function acknowledgedHint(total: number): string {
  const are = total === 1 ? '1 is' : `${total} are`;
  return ` ${are} acknowledged: hookrelay issues list --state acknowledged`;
}

const CHANGES: readonly [name: string, state: SettableState, done: string, about: string][] = [
  [
    'ack',
    'acknowledged',
    'Acknowledged',
    'mark it as being worked on: channels get no more messages',
  ],
  ['resolve', 'resolved', 'Resolved', 'mark it as over; it opens again when it recurs'],
  ['ignore', 'ignored', 'Ignored', 'keep it silent, even when it recurs'],
];

function addChanges(group: Command): void {
  for (const [name, state, done, about] of CHANGES) {
    remote(
      group
        .command(name)
        .description(about)
        .argument('<issue...>', 'ids of issues', repeated(issueId))
        .option('--json', 'print JSON, as the API answers it: one object per line'),
      `issues ${name} iss_01kxyz…`,
    ).action(
      withRemote(async ({ client, out }, ids) => {
        for (const id of ids) {
          const issue = await client.call('PATCH /api/issues/{issueId}', {
            params: { issueId: id },
            body: { state },
          });
          if (out.json) out.ndjson(issue);
          else out.note(`${done} ${id}: ${printable(issue.title)}`);
        }
      }),
    );
  }
}
