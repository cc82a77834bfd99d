import type { SecretRotation } from '../../api/destinations/destination-answer.ts';
import { counted } from '../../core/text/words.ts';
import { duration } from '../arguments.ts';
import {
  destinationLabel,
  type FoundDestination,
  findDestination,
} from '../client/destination-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { showWarnings } from '../show-warnings.ts';
import { printable } from '../terminal/output.ts';
import { confirm, requirePrompt } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { addGivenSecretFlags, chosenSecret } from './secret-flags.ts';
import { showDestination, waitingText } from './show-destination.ts';

export async function setState(
  { client, out }: Remote,
  reference: string,
  named: string,
  state: 'active' | 'paused',
): Promise<void> {
  const { params } = await findDestination(client, reference, named);
  const changed = await client.call('PATCH /api/endpoints/{id}/destinations/{destinationId}', {
    params,
    body: { state },
    exact: true,
  });
  await showDestination(out, changed);
}

export const addRotationFlags = commandPart((command) =>
  addGivenSecretFlags(command).option(
    '--overlap <duration>',
    'how long the old secret signs too (default: 24h)',
    duration,
  ),
);

/** Rotates the secret. Prints only a new secret on stdout. */
export async function rotateSecret(
  { client, out }: Remote,
  reference: string,
  named: string,
  { overlap, ...flags }: FlagsOf<typeof addRotationFlags>,
): Promise<void> {
  const secret = await chosenSecret(flags);
  const { params } = await findDestination(client, reference, named);
  const body = defined({ secret, overlap });
  const rotated = await client.call(
    'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret',
    { params, body },
  );
  showWarnings(out, rotated.warnings);
  if (out.asJson(rotated)) return;
  if (rotated.secret !== undefined) {
    out.text(rotated.secret);
    out.note('The receiver needs this secret to verify signatures. It is not shown again.');
  }
  out.note(overlapNote(rotated));
}

function overlapNote({ previous_expires_at: until }: SecretRotation): string {
  return until === null
    ? 'Attempts are signed with the new secret only.'
    : `Attempts are signed with the old secret too until ${printable(until)}.`;
}

export async function probeDestination(
  { client, out }: Remote,
  reference: string,
  named: string,
): Promise<void> {
  const { params, destination } = await findDestination(client, reference, named);
  const probed = await client.call('POST /api/endpoints/{id}/destinations/{destinationId}/probe', {
    params,
    exact: true,
  });
  if (out.asJson(probed)) return;
  const label = printable(destinationLabel(destination));
  const { health, waiting } = destination;
  if (health.state !== 'open' || waiting.count === 0) {
    const why = health.state === 'open' ? 'nothing waits for it' : 'its breaker is not open';
    out.note(`There is nothing to probe at ${label}: ${why}.`);
    return;
  }
  // A fast receiver may have answered the probe already.
  if (probed.health.state === 'healthy') {
    out.note(`${label} answers again.`);
    return;
  }
  const words = [reference, named].map((word) => shellWord(printable(word)));
  out.note(`A waiting delivery probes ${label} now. See the result:`);
  out.note(`  hint: hookrelay destinations get ${words.join(' ')}`);
}

/** Cancels a destination's waiting deliveries after a confirmation. */
export async function discardWaiting(
  { client, out }: Remote,
  reference: string,
  named: string,
  { yes }: { yes?: boolean },
): Promise<void> {
  if (!yes) requirePrompt('add --yes to cancel without a question');
  const found = await findDestination(client, reference, named);
  if (!yes) await confirmDiscard(found);
  const answer = await client.call(
    'POST /api/endpoints/{id}/destinations/{destinationId}/discard',
    { params: found.params },
  );
  if (!out.asJson(answer)) out.line(`${counted(answer.cancelled, 'delivery')} cancelled`);
}

async function confirmDiscard({ destination }: FoundDestination): Promise<void> {
  const what = waitingText(destination.waiting);
  const label = printable(destinationLabel(destination));
  if (!(await confirm(`Cancel what waits for ${label} (${what})?`))) {
    throw failure('nothing is cancelled');
  }
}
