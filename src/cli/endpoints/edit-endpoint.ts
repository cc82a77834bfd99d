import { Option } from '@commander-js/extra-typings';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { addSameNameFlag, refuseSameName } from '../client/refuse-same-name.ts';
import type { Remote } from '../client/remote-command.ts';
import { usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { showWarnings } from '../show-warnings.ts';
import {
  addKeepFlag,
  addProofFlags,
  chosenDedupe,
  chosenSource,
  withSecretHint,
} from '../sources/source-flags.ts';
import {
  addEndpointSettingChangeFlags,
  chosenEndpointSettings,
  SETTING_FLAGS,
} from './endpoint-flags.ts';
import { endpointPairs } from './endpoint-output.ts';
import { addResponseFlags, responseOf } from './response-flags.ts';

export const addEndpointEditFlags = commandPart((command) =>
  addSameNameFlag(
    addKeepFlag(
      addProofFlags(
        addResponseFlags(
          addEndpointSettingChangeFlags(
            command
              .option('--name <name>', 'new name')
              .addOption(
                new Option('--state <state>', 'capture, or answer senders with 404').choices([
                  'active',
                  'paused',
                ]),
              ),
          ),
        ).option('--no-response', 'answer senders with the default answer'),
      ),
    )
      .option('--no-source-url', 'the capture URL is the one registered at the provider')
      .option('--no-source', 'verify nothing')
      .option('--no-dedupe', 'deliver repeated requests too'),
  ),
);

/** Each `--response-…` flag changes one part of the present answer. */
export async function editEndpoint(
  { client, out }: Remote,
  reference: string,
  flags: FlagsOf<typeof addEndpointEditFlags>,
): Promise<void> {
  const { name, state } = flags;
  const isNone = flags.response === false;
  const isAnswered = responseOf(flags, null) !== null;
  if (isNone && isAnswered) throw usageError('--no-response excludes the other --response flags');
  const settings = chosenEndpointSettings(flags);
  const source = await chosenSource(flags);
  const dedupe = chosenDedupe(flags);
  const given = [name, state, source, dedupe].some((one) => one !== undefined);
  if (!given && !isNone && !isAnswered && Object.keys(settings).length === 0) {
    throw usageError(
      'there is nothing to change',
      `--name, --state, ${SETTING_FLAGS.join(', ')}, --response-…, --source, --dedupe; see --help`,
    );
  }
  const { id, response } = await findEndpoint(client, reference);
  if (name !== undefined && !flags.sameName) {
    const all = await client.call('GET /api/endpoints');
    refuseSameName(
      'endpoint',
      name,
      all.filter((one) => one.id !== id),
    );
  }
  const body = {
    ...defined({ name, is_active: state && state === 'active', source, dedupe }),
    ...settings,
    ...(isNone && { response: null }),
    ...(isAnswered && { response: responseOf(flags, response) }),
  };
  const edited = await client
    .call('PATCH /api/endpoints/{id}', { params: { id }, body })
    .catch((error) => {
      throw withSecretHint(error);
    });
  out.object(edited, endpointPairs);
  if (!flags.sameName) showWarnings(out, edited.warnings);
}
