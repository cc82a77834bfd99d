import { type Command, Option } from 'commander';
import { HookrelayError } from '../core/errors.ts';
import { type Local, local, withAdmin } from './local/local-command.ts';

const ABOUT = `
No server may run on the data directory; one does the same when it starts. There is no way
back but a backup: hookrelay backup FILE first.`;

/** `hookrelay migrate`: brings the schema up to date, and nothing else. */
export function addMigrateCommand(program: Command): void {
  local(
    program
      .command('migrate')
      .description('bring the schema of the database up to date')
      .addOption(new Option('--from <backend>', 'move the data from here …').hideHelp())
      .addOption(new Option('--to <url>', '… to there').hideHelp())
      .addHelpText('after', ABOUT),
    'migrate',
  ).action(withAdmin(migrate));
}

async function migrate(
  { admin, config, out }: Local,
  flags: { from?: string; to?: string },
): Promise<void> {
  if (flags.from !== undefined || flags.to !== undefined) {
    throw new HookrelayError(
      'not_implemented',
      'this hookrelay cannot move data to another kind of database yet',
      { hint: 'hookrelay migrate without --from and --to updates the schema where it is' },
    );
  }
  const held = await admin.exclusive({ make: true });
  try {
    const { from, to } = await held.migrate();
    out.object({ data_dir: config.dataDir, from, to }, () => [
      ['schema', from === to ? `${to}, up to date already` : `${to}, brought up from ${from}`],
    ]);
  } finally {
    await held.release();
  }
}
