import type { Command } from '@commander-js/extra-typings';
import type { AuditEntryAnswer } from '../../api/accounts/audit-entry-answer.ts';
import { type PageFlags, pageFlags, showPage } from '../client/page-flags.ts';
import { type Remote, remote, withRemote } from '../client/remote-command.ts';
import type { Column } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const MAX_LIMIT = 200;

const addPageFlags = pageFlags('changes', MAX_LIMIT);

const COLUMNS: Column<AuditEntryAnswer>[] = [
  { title: 'at', value: ({ at }) => timeText(at) },
  { title: 'action', value: ({ action }) => action },
  { title: 'target', value: ({ target }) => target.name ?? target.id, elastic: true },
  { title: 'by', value: actorText, elastic: true },
  { title: 'address', value: ({ actor }) => actor.address ?? '', optional: true },
  { title: 'changes', value: changesText, elastic: true, optional: true },
];

export function addAuditCommand(program: Command): void {
  remote(
    addPageFlags(program.command('audit').description('list changes to the account, newest first')),
    'audit',
    'audit --limit 200 --json | jq \'.data[] | select(.action == "auth.login_failed")\'',
  ).action(withRemote(list));
}

async function list({ client, out }: Remote, { limit, page }: PageFlags): Promise<void> {
  const found = await client.call('GET /api/audit', { query: { limit, page } });
  showPage(out, 'change', found, COLUMNS, 'No change yet.');
}

function actorText({ actor: { type, name } }: AuditEntryAnswer): string {
  return type === 'token' ? `token ${name}` : (name ?? type);
}

/** Returns a text such as `name: a → b`. */
function changesText({ changes }: AuditEntryAnswer): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(changes ?? {})
    .map(([field, [before, after]]) =>
      before === null ? `${field}: ${text(after)}` : `${field}: ${text(before)} → ${text(after)}`,
    )
    .join(', ');
}
