import type { DestinationAnswer, Warning } from '../../api/destinations/destination-answer.ts';
import { someText } from '../arguments.ts';
import { checkRule } from '../check-rule.ts';
import { destinationsOf, findDestination } from '../client/destination-ref.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { addSameNameFlag, refuseSameName } from '../client/refuse-same-name.ts';
import type { Remote } from '../client/remote-command.ts';
import { checkValues } from '../client/unfit-values.ts';
import { hasCode, usageError, withHint } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { showWarnings } from '../show-warnings.ts';
import { printable } from '../terminal/output.ts';
import {
  addDestinationSettingChangeFlags,
  addDestinationSettingFlags,
  chosenDestinationSettings,
  type DestinationSettingFlags,
} from './destination-flags.ts';
import { addHeaderChangeFlags, addHeaderFlags, chosenHeaders } from './header-flags.ts';
import { addSecretFlags, chosenSecret } from './secret-flags.ts';
import { showDestination } from './show-destination.ts';

const addYesFlag = commandPart((command) =>
  command.option('--yes', 'save the filter also if past events have values that it cannot take'),
);

export const addDestinationCreateFlags = commandPart((command) =>
  addYesFlag(addDestinationSettingFlags(addHeaderFlags(addSecretFlags(addSameNameFlag(command))))),
);

export const addDestinationEditFlags = commandPart((command) =>
  addYesFlag(
    addDestinationSettingChangeFlags(
      addHeaderChangeFlags(
        addSecretFlags(
          addSameNameFlag(command.option('--new-url <url>', 'new URL', someText)),
        ).option('--no-secret', 'stop signing'),
      ),
    ),
  ),
);

export async function addDestination(
  remote: Remote,
  reference: string,
  url: string,
  flags: FlagsOf<typeof addDestinationCreateFlags>,
): Promise<void> {
  const { client, out } = remote;
  await checkFilter(flags);
  const settings = chosenDestinationSettings(flags, null);
  const headers = await chosenHeaders(flags);
  const secret = await chosenSecret(flags);
  const { id } = await findEndpoint(client, reference);
  if (settings.name && !flags.sameName) {
    refuseSameName('destination', settings.name, await destinationsOf(client, id));
  }
  await checkValues(remote, id, flags.filter, flags);
  const body = { ...defined({ url, secret, headers }), ...settings };
  const added = await client.call('POST /api/endpoints/{id}/destinations', {
    params: { id },
    body,
    exact: true,
  });
  await showDestination(out, added, flags.generateSecret ? secret : null);
  showWarnings(out, unmeant(added.warnings, flags));
}

export async function editDestination(
  remote: Remote,
  reference: string,
  named: string,
  flags: FlagsOf<typeof addDestinationEditFlags>,
): Promise<void> {
  const { client, out } = remote;
  await checkFilter(flags);
  const { newUrl: url } = flags;
  // Check the flags before any call, because contradicting flags are wrong usage.
  const isChanged =
    Object.keys(chosenDestinationSettings(flags, null)).length > 0 || flags.giveUpOn === false;
  const headers = await chosenHeaders(flags);
  const secret = (await chosenSecret(flags)) ?? (flags.secret === false ? null : undefined);
  const given = defined({ url, secret, headers });
  if (!isChanged && Object.keys(given).length === 0) {
    throw usageError('there is nothing to change', '--new-url, --secret or a setting; see --help');
  }
  const { params, destination } = await findDestination(client, reference, named);
  await checkValues(remote, params.id, flags.filter, flags);
  const body = { ...given, ...chosenDestinationSettings(flags, destination) };
  if (body.name && !flags.sameName) {
    const all = await destinationsOf(client, params.id);
    refuseSameName(
      'destination',
      body.name,
      all.filter((one) => one.id !== destination.id),
    );
  }
  try {
    const edited = await client.call('PATCH /api/endpoints/{id}/destinations/{destinationId}', {
      params,
      body,
      exact: true,
    });
    await showDestination(out, edited, flags.generateSecret ? secret : null);
    showWarnings(out, unmeant(edited.warnings, flags));
  } catch (error) {
    throw withHeaderHint(error, destination);
  }
}

/** Leaves out the warning of a name that the user asked for. */
function unmeant(
  warnings: readonly Warning[] = [],
  { sameName = false }: { sameName?: boolean },
): readonly Warning[] {
  return warnings.filter(({ code }) => !(sameName && code === 'same_name'));
}

async function checkFilter({ filter }: Pick<DestinationSettingFlags, 'filter'>): Promise<void> {
  if (typeof filter === 'string') await checkRule(filter, '--filter');
}

/** The new origin must not get the old origin's headers unless the user gives them again. */
function withHeaderHint(error: unknown, { headers }: DestinationAnswer): unknown {
  if (!hasCode(error, 'headers_required')) return error;
  const names = Object.keys(headers ?? {}).map(printable);
  const again = `give ${names.join(', ')} again with --header or --header-file`;
  return withHint(error, `${again}, or add --no-headers`);
}
