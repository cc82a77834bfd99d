import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelDelivery } from '../../api/channels/channel-answer.ts';
import { formatDuration } from '../../core/text/duration.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { targetText } from './channel-output.ts';

const WAIT_MS = 15_000;
const INTERVAL_MS = 250;

/** Throws if the message fails, or has no outcome in time. */
export async function testChannel({ client, out }: Remote, id: string): Promise<void> {
  const params = { channelId: id };
  const { last_delivery: before } = await client.call('GET /api/channels/{channelId}', { params });
  const { message_id } = await client.call('POST /api/channels/{channelId}/test', { params });
  const started = performance.now();
  let channel: ChannelAnswer;
  do {
    await sleep(INTERVAL_MS);
    channel = await client.call('GET /api/channels/{channelId}', { params });
    const last = channel.last_delivery;
    if (last === null || last.id === before?.id || !isKnown(last)) continue;
    const isPrinted = out.asJson({ message_id, delivery: last });
    if (last.state !== 'succeeded') throw failed(id, last);
    const took = formatDuration(performance.now() - started);
    if (!isPrinted) out.note(`Sent to ${targetText(channel)} in ${took}.`);
    return;
  } while (performance.now() - started < WAIT_MS);
  out.asJson({ message_id, delivery: null });
  throw failure(
    `the message has no outcome after ${formatDuration(WAIT_MS)}`,
    'see its outcome later: hookrelay channels list',
  );
}

/** The first failure decides, because only retries follow it. */
function isKnown({ state, error }: ChannelDelivery): boolean {
  return state !== 'pending' || error !== null;
}

function failed(id: string, { state, error, next_attempt_at }: ChannelDelivery) {
  const reason = error ? `${error.message} (${error.code})` : `it is ${state}`;
  return failure(
    `the message did not arrive: ${reason}`,
    state === 'pending' && next_attempt_at !== null
      ? `it is tried again at ${next_attempt_at}`
      : `correct the channel: hookrelay channels edit ${id} --help`,
  );
}
