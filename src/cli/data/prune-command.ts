import type { Command } from '@commander-js/extra-typings';
import { counted } from '../../core/text/words.ts';
import { instant } from '../arguments.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { confirm, requirePrompt } from '../terminal/prompt.ts';
import { type Local, local, withAdmin } from './local-command.ts';
import { ProgressLine } from './progress-line.ts';

const addPruneFlags = commandPart((command) =>
  command
    .requiredOption(
      '--before <time>',
      'delete events received before this (a time, or 30d for thirty days ago)',
      instant,
    )
    .option('--dry-run', 'count the events and delete nothing')
    .option('--yes', 'do not ask for confirmation'),
);

export function addPruneCommand(program: Command): void {
  local(
    addPruneFlags(
      program.command('prune').description('delete old events that have no open deliveries'),
    ),
    'prune --before 30d --dry-run',
    'prune --before 2026-01-31T12:00:00Z --yes',
  ).action(withAdmin(prune));
}

async function prune({ admin, out }: Local, flags: FlagsOf<typeof addPruneFlags>): Promise<void> {
  const { before } = flags;
  const time = Date.parse(before);
  if (time > Date.now()) {
    throw usageError(`${before} is in the future`, 'write --before 0s to delete all events');
  }
  const asks = !flags.yes && !flags.dryRun;
  if (asks) requirePrompt('count events with --dry-run, delete them with --yes');
  const { events, open } = await admin.countOlder(time);
  const matching = events - open;
  if (flags.dryRun) {
    const text = `${counted(matching, 'event')} received before ${before} would be deleted`;
    if (!out.asJson({ before, matching, skipped: open })) out.line(text);
    noteSkipped(out, open);
    return;
  }
  const question = `Delete ${counted(matching, 'event')} received before ${before} permanently?`;
  if (asks && matching > 0 && !(await confirm(question))) throw failure('nothing is deleted');
  const line = new ProgressLine();
  const removed =
    matching === 0
      ? 0
      : await admin
          .prune(time, (done) => line.show(`deleting: ${done} of ${matching}`))
          .finally(() => line.clear());
  const isPrinted = out.asJson({ before, removed, skipped: open });
  if (!isPrinted) out.line(`${counted(removed, 'event')} deleted`);
  noteSkipped(out, open);
  if (removed > 0 && process.stderr.isTTY) {
    out.note('The database file keeps its size and reuses the space. A backup of it is small.');
  }
}

function noteSkipped(out: Local['out'], open: number): void {
  if (open > 0) out.note(`${counted(open, 'event')} with open deliveries stay.`);
}
