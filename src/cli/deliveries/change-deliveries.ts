import type { ErrorCode } from '../../core/errors.ts';
import { counted } from '../../core/text/words.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure, hasCode, withHint } from '../command-error.ts';
import { printable } from '../terminal/output.ts';

/** Errors of one delivery only. The command continues with the other deliveries. */
const OF_ONE: readonly ErrorCode[] = [
  'delivery_not_found',
  'delivery_settled',
  'destination_paused',
  'limit_reached',
];

/** Hints for API errors that have none. */
const HINTS: Record<string, string> = {
  delivery_not_found: 'hookrelay deliveries list ENDPOINT has the ids',
  delivery_settled: 'hookrelay deliveries get DELIVERY shows how it ended',
};

export async function retryDeliveries(context: Remote, ids: string[]): Promise<void> {
  const { client, out } = context;
  await changeEach(context, ids, 'retried', async (id) => {
    const queued = await client.call('POST /api/deliveries/{deliveryId}/retry', {
      params: { deliveryId: id },
    });
    out.item(queued, `${id}: queued`);
  });
}

export async function cancelDeliveries(context: Remote, ids: string[]): Promise<void> {
  const { client, out } = context;
  await changeEach(context, ids, 'cancelled', async (id) => {
    await client.call('POST /api/deliveries/{deliveryId}/cancel', {
      params: { deliveryId: id },
      as: 'text',
    });
    out.item({ id, cancelled: true }, `${id}: cancelled`);
  });
}

/** Changes deliveries one after the other. Continues after an error in `OF_ONE`. */
async function changeEach(
  { out }: Remote,
  ids: string[],
  done: string,
  change: (id: string) => Promise<void>,
): Promise<void> {
  const wanted = new Set(ids);
  const hints = new Set<string>();
  let failed = 0;
  for (const id of wanted) {
    try {
      await change(id);
    } catch (error) {
      if (!hasCode(error, ...OF_ONE)) throw error;
      const hint = error.hint ?? HINTS[error.code];
      if (wanted.size === 1) throw withHint(error, hint);
      failed++;
      if (hint) hints.add(hint);
      out.note(`${id}: ${printable(error.message)}`);
    }
  }
  if (failed === 0) return;
  throw failure(
    `${counted(failed, 'delivery')} could not be ${done}`,
    [...hints].join('; ') || undefined,
  );
}
