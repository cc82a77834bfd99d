import { InvalidArgumentError } from '@commander-js/extra-typings';
import { ISSUE_KIND, type IssueKind } from '../../core/issues/issue.ts';
import { repeated } from '../arguments.ts';
import type { ApiClient } from '../client/api-client.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';

export const addChannelFilterFlags = commandPart((command) =>
  command
    .option(
      '--kinds <kinds>',
      `only issues of these kinds: ${ISSUE_KIND.names.join(', ')}; separated by commas`,
      kindList,
    )
    .option(
      '--endpoint <endpoint>',
      'only issues of this endpoint (repeatable): its id, name or capture URL',
      repeated(),
    ),
);

export type ChannelFilterFlags = FlagsOf<typeof addChannelFilterFlags>;

export async function chosenChannelFilters(
  client: ApiClient,
  { kinds, endpoint: references }: ChannelFilterFlags,
): Promise<{ kinds?: IssueKind[]; endpoint_ids?: string[] }> {
  if (references === undefined) return kinds ? { kinds } : {};
  const ids: string[] = [];
  for (const one of references) ids.push((await findEndpoint(client, one)).id);
  return { ...(kinds && { kinds }), endpoint_ids: ids };
}

function kindList(value: string): IssueKind[] {
  const kinds = value.split(',').map((kind) => kind.trim());
  const known = ISSUE_KIND.names.filter((kind) => kinds.includes(kind));
  if (known.length === new Set(kinds).size) return known;
  throw new InvalidArgumentError(`Expected kinds such as delivery,silence.`);
}
