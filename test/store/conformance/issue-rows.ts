import { INTERNAL_USER } from '../../../src/core/channels/channel.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Issue } from '../../../src/core/issues/issue.ts';
import type { Destination, Endpoint } from '../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { newEndpoint } from '../../../src/core/settings/new-endpoint.ts';
import type { NewChannel } from '../../../src/store/contract/channels.ts';
import type { Fold, IssueScope } from '../../../src/store/contract/issues.ts';
import type { World } from './world.ts';

export type NewIssue = Fold['added'][number];

/** An open issue of kind `delivery` at a destination; of kind `conflict` without one. */
export function newIssue(
  world: World,
  endpoint: Endpoint,
  destination: Destination | null,
  patch: Partial<NewIssue> = {},
): NewIssue {
  return {
    id: newId('iss', world.now),
    userId: endpoint.userId,
    kind: destination ? 'delivery' : 'conflict',
    endpointKey: endpoint.key,
    destinationKey: destination?.key ?? 0,
    subject: destination ? 'timeout' : '',
    state: 'open',
    count: 3,
    firstAt: world.now - 5000,
    lastAt: world.now,
    eventIds: ['evt_b', 'evt_a'],
    streak: { failures: 3, note: '"ü' },
    successes: 0,
    explanation: null,
    notified: null,
    notifiedAt: null,
    notifyAt: null,
    ...patch,
  };
}

export const fold = (patch: Partial<Fold>): Fold => ({
  added: [],
  changed: [],
  dropped: [],
  ...patch,
});

export const scopeOf = (
  { userId }: Pick<Endpoint, 'userId'>,
  endpointIds: readonly string[] | null = null,
): IssueScope => ({ userId, endpointIds });

/** Saves new issues and returns them as they are stored. */
export async function saved(world: World, added: readonly NewIssue[]): Promise<Issue[]> {
  const { issues } = world.store;
  if (!(await issues.save(fold({ added })))) throw new Error('refused');
  const found = await issues.byCauses(added);
  return added.map(({ id }) => found.find((issue) => issue.id === id) as Issue);
}

/** A channel of type `webhook`, confirmed as all of them are. */
export function newChannel(
  world: World,
  userId: string,
  patch: Partial<NewChannel> = {},
): NewChannel {
  const url = 'https://pager.example.com/hook';
  return {
    id: newId('chn', world.now),
    userId,
    type: 'webhook',
    target: url,
    kinds: null,
    endpointIds: null,
    confirmedAt: world.now,
    confirmHash: null,
    confirmSentAt: null,
    createdAt: world.now,
    endpoint: newEndpoint(INTERNAL_USER.id, 'channel', world.now),
    destination: {
      id: newId('dst', world.now),
      url,
      sealedSecret: Buffer.from('sealed'),
      sealedHeaders: null,
      settings: { ...DEFAULT_DESTINATION_SETTINGS, path: 'ignore' },
      createdAt: world.now,
    },
    ...patch,
  };
}
