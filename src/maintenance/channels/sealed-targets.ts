import type { Logger } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { ChannelStore } from '../../store/contract/channels.ts';
import { BackgroundLoop } from '../background-loop.ts';

/** Interval between two slices, ms. A node of an older version may still store clear URLs. */
const EVERY_MS = 60_000;
const SLICE_CHANNELS = 20;

export interface SealingOptions {
  channels: Pick<ChannelStore, 'unsealed' | 'seal'>;
  keys: Pick<Keys, 'seal'>;
  log: Logger;
}

/**
 * Seals the URLs of Slack channels that an older version stored in clear text. A crash between
 * slices loses nothing, because later slices skip sealed channels.
 */
export function createSealing({ channels, keys, log }: SealingOptions): BackgroundLoop {
  return new BackgroundLoop({
    name: 'sealing the URLs of channels',
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
