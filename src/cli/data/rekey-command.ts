import type { Command } from '@commander-js/extra-typings';
import { HookrelayError } from '../../core/errors.ts';
import { Keys } from '../../core/secrets/keys.ts';
import { loadSecret } from '../../core/secrets/secret-key.ts';
import { counted } from '../../core/text/words.ts';
import type { SealedData } from '../../store/contract/admin-store.ts';
import { failure } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { type Output, printable } from '../terminal/output.ts';
import { confirm, requirePrompt } from '../terminal/prompt.ts';
import { type Local, local, withAdmin } from './local-command.ts';
import { matches, presentSecret, secretFileOf } from './secret-files.ts';

const addRekeyFlags = commandPart((command) =>
  command
    .requiredOption('--drop-sealed', 'give up what the lost secret sealed')
    .option('--yes', 'do not ask for confirmation'),
);

const ABOUT = `
For a lost secret.key, or a lost HOOKRELAY_SECRET_KEY. First look for the key in
your backups: rekey can't be undone. It lists what will be lost, and asks.

Signing secrets and headers of destinations go, and these destinations pause:
set them again, then resume. Sources keep their provider and lose their
secrets. Channels with a sealed URL or secret fail until you set it again. All
users log in again. Events, deliveries, passwords and API tokens stay.

The new secret is HOOKRELAY_SECRET_KEY where it is set, otherwise secret.key in
the data directory, which rekey makes if it is missing. No server may run
meanwhile. A killed rekey can be repeated.`;

export function addRekeyCommand(program: Command): void {
  local(
    addRekeyFlags(
      program
        .command('rekey')
        .description('go on with a new secret after the old one was lost')
        .addHelpText('after', ABOUT),
    ),
    'rekey --drop-sealed',
    'rekey --drop-sealed --yes --data-dir /var/lib/hookrelay',
  ).action(withAdmin(rekey));
}

async function rekey(context: Local, flags: FlagsOf<typeof addRekeyFlags>): Promise<void> {
  const { admin, config, out } = context;
  if (config.database !== null && config.secretKey === null) {
    throw new HookrelayError(
      'config_invalid',
      'nodes on PostgreSQL share one secret, and HOOKRELAY_SECRET_KEY is not set',
      { hint: 'make the new one for all nodes: HOOKRELAY_SECRET_KEY=$(openssl rand -base64 32)' },
    );
  }
  const check = await admin.secretCheck();
  const present = presentSecret(config.dataDir, config.secretKey);
  if (check === null || (present && matches(present, check))) {
    const text = 'the present secret fits the data: there is nothing to drop';
    if (!out.asJson({ rekeyed: false })) out.line(text);
    return;
  }
  if (!flags.yes) requirePrompt('see what will be lost on a terminal, or confirm it with --yes');
  const held = await admin.exclusive({ make: false });
  try {
    const lost = await held.sealed();
    if (!out.json) list(lost, out);
    if (!flags.yes && !(await confirm('Give all of this up?'))) throw failure('nothing is changed');
    // The secret is on disk before the data refers to it. After a kill between the two, the next
    // run takes this secret.
    await held.dropSealed(new Keys(loadSecret(config.dataDir, config.secretKey)));
    const source = config.secretKey === null ? secretFileOf(config.dataDir) : null;
    const result = { rekeyed: true, secret_file: source, ...answerOf(lost) };
    if (!out.asJson(result))
      out.line(`the data has the secret of ${source ?? 'HOOKRELAY_SECRET_KEY'}`);
    if (source !== null) out.note(`Keep a copy of ${source} apart from the data.`);
  } finally {
    await held.release();
  }
}

function list({ destinations, sources, channels, sessions }: SealedData, out: Output): void {
  for (const { id, url, secret, headers } of destinations) {
    const what = [secret && 'signing secret', headers && 'headers'].filter(Boolean).join(' and ');
    out.line(printable(`destination ${id} (${url}): ${what || 'former secret'}; it pauses`));
  }
  for (const { endpointId, provider } of sources) {
    out.line(printable(`source of endpoint ${endpointId} (${provider}): its secrets`));
  }
  for (const { id, url } of channels) {
    out.line(printable(`channel ${id} (${url}): it fails until its URL or secret is set again`));
  }
  out.line(`${counted(sessions, 'session')}: all users log in again`);
}

function answerOf({ destinations, sources, channels, sessions }: SealedData) {
  return {
    destinations: destinations.map(({ id, endpointId, url, secret, headers }) => ({
      ...{ id, endpoint_id: endpointId, url, secret, headers },
    })),
    sources: sources.map(({ endpointId, provider }) => ({ endpoint_id: endpointId, provider })),
    channels,
    sessions,
  };
}
