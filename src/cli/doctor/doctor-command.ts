import { styleText } from 'node:util';
import type { Command } from '@commander-js/extra-typings';
import { addSettings } from '../../config/settings.ts';
import { unknownVariables } from '../../config/unknown-variables.ts';
import { packageVersion } from '../../core/runtime/resource.ts';
import { counted } from '../../core/text/words.ts';
import type { Inspection } from '../../store/contract/admin-store.ts';
import { failure } from '../command-error.ts';
import { type Local, local, withAdmin } from '../data/local-command.ts';
import { type Colour, dim, type Output, printable } from '../terminal/output.ts';
import { dataFindings, integrityFinding, isAccessible } from './data-findings.ts';
import { type DoctorFinding, ok, warn } from './doctor-finding.ts';
import { fastPathFinding } from './fast-path-finding.ts';
import { ollamaFinding, publicUrlFinding, serverFinding } from './reachability-findings.ts';
import { secretFinding } from './secret-finding.ts';

const SERVER_SETTINGS = [
  'host',
  'port',
  'publicUrl',
  'tlsCert',
  'tlsKey',
  'fastPath',
  'ai',
  'ollamaUrl',
  'ollamaModel',
] as const;
const COLOURS: Record<DoctorFinding['status'], Colour> = {
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
};
const STATUS_WIDTH = 4;
const CHECK_WIDTH = 15;

const ABOUT = `
doctor changes nothing. Run it with the server's own flags or environment. It
exits with 1 when a check fails, and with 0 after warnings. It does not check
whether NTP keeps the clock.`;

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('check the data, the server and their environment')
    .option('--full', 'check every byte of the database (slower)')
    .addHelpText('after', ABOUT);
  local(
    addSettings(command, SERVER_SETTINGS),
    'doctor',
    'doctor --full --data-dir /var/lib/hookrelay --json',
  ).action(withAdmin(doctor));
}

async function doctor(context: Local, flags: { full?: boolean }): Promise<void> {
  const { out } = context;
  const findings: DoctorFinding[] = [];
  for await (const finding of examine(context, flags.full === true)) {
    findings.push(finding);
    if (!out.json) show(out, finding);
  }
  const failed = findings.filter(({ status }) => status === 'fail').length;
  out.asJson({ ok: failed === 0, findings });
  if (failed > 0) throw failure(`${counted(failed, 'check')} failed`);
}

async function* examine({ admin, config }: Local, full: boolean): AsyncGenerator<DoctorFinding> {
  const { dataDir } = config;
  const now = Date.now();
  const found = await admin.inspect(now);
  yield ok(
    'versions',
    `hookrelay ${packageVersion()}, Node ${process.versions.node}, ${found.engine}`,
  );
  for (const { name, nearest } of unknownVariables()) {
    yield warn(
      'environment',
      `nothing reads the variable ${name}`,
      nearest === null ? 'hookrelay serve --help lists all' : `did you mean ${nearest}?`,
    );
  }
  yield* dataFindings(found, { dataDir, now });
  if (isAccessible(found)) {
    const { database } = found;
    if (database.state === 'readable') {
      yield await integrity(() => admin.checkIntegrity(full), full, dataDir);
    }
    yield secretFinding(config, checkValueOf(database));
    // With PostgreSQL, the nodes may run on other machines.
    if (!found.nodes) yield* await serverFinding(config, found.holder);
  }
  yield* await publicUrlFinding(config);
  yield* fastPathFinding(config);
  yield await ollamaFinding(config);
}

async function integrity(
  check: () => Promise<string[]>,
  full: boolean,
  dataDir: string,
): Promise<DoctorFinding> {
  try {
    return integrityFinding(await check(), full, dataDir);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return integrityFinding([problem], full, dataDir);
  }
}

function checkValueOf(database: Inspection['database']): string | null | undefined {
  if (database.state === 'missing') return database.lost ? undefined : null;
  return database.state === 'readable' ? database.content?.secretCheck : undefined;
}

function show(out: Output, { check, status, message, next }: DoctorFinding): void {
  const indent = ' '.repeat(STATUS_WIDTH + CHECK_WIDTH + 4);
  const head = `${styleText(COLOURS[status], status.padEnd(STATUS_WIDTH))}  ${check.padEnd(CHECK_WIDTH)}`;
  out.line(`${head}  ${printable(message)}`);
  if (next !== undefined) out.line(`${indent}${dim('next:')} ${printable(next)}`);
}
