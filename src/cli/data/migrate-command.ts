import { type Command, Option } from '@commander-js/extra-typings';
import { HookrelayError } from '../../core/errors.ts';
import type { MoveSummary } from '../../store/contract/admin-store.ts';
import { usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { type Local, local, withAdmin } from './local-command.ts';
import { ProgressLine } from './progress-line.ts';
import { matches, presentSecret, secretFileOf } from './secret-files.ts';

const ABOUT = `
migrate brings the schema up to date, as a server does when it starts. No
server may run on the data directory meanwhile. Only a backup can undo it: run
hookrelay backup FILE first. On PostgreSQL, nodes of the previous version keep
working.

With --from sqlite --to URL, migrate moves all data to an empty PostgreSQL
database and compares every row. It leaves the data directory unchanged. After
an interruption, run it again: it continues. Without --to, it takes
HOOKRELAY_DATABASE, which keeps the password off the command line. All nodes
need the same secret: migrate prints how to set it.`;

const addMoveFlags = commandPart((command) =>
  command
    .addOption(
      new Option('--from <backend>', 'move the data from this backend').choices(['sqlite']),
    )
    .option('--to <url>', 'move the data to this postgres:// database'),
);

type MoveFlags = FlagsOf<typeof addMoveFlags>;

export function addMigrateCommand(program: Command): void {
  local(
    addMoveFlags(
      program
        .command('migrate')
        .description('bring the schema up to date, or move the data to PostgreSQL')
        .addHelpText('after', ABOUT),
    ),
    'migrate',
    'migrate --from sqlite --to postgres://user@host/hookrelay --data-dir /var/lib/hookrelay',
  ).action(withAdmin(migrate));
}

async function migrate(context: Local, flags: MoveFlags): Promise<void> {
  if (flags.from !== undefined || flags.to !== undefined) return move(context, flags);
  const { admin, config, out } = context;
  const held = await admin.exclusive({ make: true });
  try {
    const started = performance.now();
    const { from, to } = await held.migrate();
    const durationMs = Math.round(performance.now() - started);
    const dataDir = config.database ? null : config.dataDir;
    out.object({ data_dir: dataDir, from, to, duration_ms: durationMs }, () => [
      ['schema', from === to ? `${to}, up to date already` : `${to}, migrated from ${from}`],
      ['took', `${(durationMs / 1000).toFixed(1)} s`],
    ]);
  } finally {
    await held.release();
  }
}

async function move({ config, out }: Local, flags: MoveFlags): Promise<void> {
  const to = flags.to ?? config.database;
  if (flags.from === undefined || to === null) {
    throw usageError(
      flags.from === undefined ? '--to needs --from sqlite' : '--from needs --to',
      'hookrelay migrate --from sqlite --to postgres://user@host/hookrelay',
    );
  }
  if (!/^postgres(ql)?:\/\/./.test(to)) {
    throw usageError('--to is not a postgres:// URL', 'data moves to PostgreSQL only');
  }
  const started = performance.now();
  const { openMove } = await import('../../store/open.ts');
  const moving = await openMove({ dataDir: config.dataDir, to });
  const line = new ProgressLine();
  try {
    const secret = secretOf(config, moving.secretCheck);
    const summary = await moving.run(({ phase, table, done, total }) =>
      line.show(`${phase} ${table}: ${done} of ${total}`),
    );
    line.clear();
    report(out, summary, { dataDir: config.dataDir, secret, started });
  } finally {
    line.clear();
    await moving.close();
  }
}

/** Throws `secret_mismatch` if the secret that encrypts the data is missing. */
function secretOf(
  { dataDir, secretKey }: Local['config'],
  check: string | null,
): 'file' | 'variable' | 'none' {
  if (check === null) return 'none';
  const secret = presentSecret(dataDir, secretKey);
  if (secret && matches(secret, check)) return secretKey === null ? 'file' : 'variable';
  throw new HookrelayError(
    'secret_mismatch',
    secret
      ? 'this secret does not belong to the data'
      : `there is no ${secretFileOf(dataDir)}: nothing could decrypt the signing secrets`,
    {
      hint: 'restore secret.key from a backup, or set HOOKRELAY_SECRET_KEY as the server had it',
    },
  );
}

function report(
  out: Local['out'],
  { tables, resumed, wasDone }: MoveSummary,
  { dataDir, secret, started }: { dataDir: string; secret: string; started: number },
): void {
  const durationMs = Math.round(performance.now() - started);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  out.object({ tables, rows, resumed, was_done: wasDone, duration_ms: durationMs }, () => [
    ...tables.map(({ name, rows: count, sha256 }): [string, string] => [
      name,
      `${count} rows, sha256 ${sha256.slice(0, 16)}…, the same on both sides`,
    ]),
    ['took', `${(durationMs / 1000).toFixed(1)} s${resumed && !wasDone ? ', resumed' : ''}`],
  ]);
  if (wasDone) out.note('The data had been moved before. This run only compared it.');
  if (secret === 'file') {
    out.note('All nodes need the same secret. Set it on each node from a copy of this file:');
    out.note(`export HOOKRELAY_SECRET_KEY="$(cat ${secretFileOf(dataDir)})"`);
  } else if (secret === 'variable') {
    out.note('All nodes need the same HOOKRELAY_SECRET_KEY.');
  }
  out.note(`${dataDir} is unchanged. Start no server on it: it would repeat the open deliveries.`);
}
