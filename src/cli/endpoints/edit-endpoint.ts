import { findEndpoint } from '../client/endpoint-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { usageError } from '../command-error.ts';
import { type CreateFlags, expectEveryOf, onUnjudgedOf, retentionOf } from './endpoint-flags.ts';
import { endpointPairs } from './endpoint-view.ts';
import { responseOf } from './response-flags.ts';
import {
  chosenDedupe,
  chosenSource,
  type DedupeFlags,
  type SourceFlags,
  withSecretHint,
} from './source-flags.ts';

export interface EditFlags extends CreateFlags, SourceFlags, DedupeFlags {
  name?: string;
  state?: 'active' | 'paused';
  /** False with `--no-response`. */
  response?: boolean;
}

/** A flag of the answer changes that part of the present answer. */
export async function editEndpoint(
  { client, out }: Remote,
  reference: string,
  flags: EditFlags,
): Promise<void> {
  const { name, state } = flags;
  const isNone = flags.response === false;
  const isAnswered = responseOf(flags, null) !== null;
  if (isNone && isAnswered) throw usageError('--no-response goes with no other --response flag');
  const retention = retentionOf(flags);
  const source = await chosenSource(flags);
  const dedupe = chosenDedupe(flags);
  const { retention: kept, expectEvery, onUnjudged } = flags;
  const given = [name, state, kept, expectEvery, onUnjudged, source, dedupe].some(
    (one) => one !== undefined,
  );
  if (!given && !isNone && !isAnswered) {
    throw usageError(
      'there is nothing to change',
      '--name, --state, --retention, --expect-every, --on-unjudged, --response-…, --source, --dedupe; see --help',
    );
  }
  const { id, response } = await findEndpoint(client, reference);
  const body = {
    ...(name !== undefined && { name }),
    ...(state !== undefined && { is_active: state === 'active' }),
    ...retention,
    ...expectEveryOf(flags),
    ...onUnjudgedOf(flags),
    ...(source !== undefined && { source }),
    ...(dedupe !== undefined && { dedupe }),
    ...(isNone && { response: null }),
    ...(isAnswered && { response: responseOf(flags, response) }),
  };
  const edited = await client
    .call('PATCH /api/endpoints/{id}', { params: { id }, body })
    .catch((error) => {
      throw withSecretHint(error);
    });
  out.object(edited, endpointPairs);
}
