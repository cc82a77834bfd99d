import type { Logger } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { ChannelStore } from '../../store/contract/channels.ts';
import { BackgroundLoop } from '../background-loop.ts';

/** Interval between two looks, ms: an older node may have gone meanwhile. */
const EVERY_MS = 60_000;
/** Channels of one commit. */
const SLICE_CHANNELS = 20;

export interface SealingOptions {
  channels: Pick<ChannelStore, 'unsealed' | 'seal'>;
  keys: Pick<Keys, 'seal'>;
  log: Logger;
}

/**
 * Seals the URLs of Slack channels that an older version left in clear. Each slice is one
 * commit, and a channel that is sealed isn't read again: a kill in between loses nothing.
 */
export function createSealing({ channels, keys, log }: SealingOptions): BackgroundLoop {
  return new BackgroundLoop({
    name: 'the sealing of channels',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const clear = await channels.unsealed(SLICE_CHANNELS);
      if (clear.length === 0) return false;
      await channels.seal(
        clear.map((one) => ({ ...one, sealedUrl: keys.seal(one.url, one.destinationId) })),
      );
      log.info('sealed the URLs of Slack channels', { channels: clear.length });
      return clear.length === SLICE_CHANNELS;
    },
  });
}
