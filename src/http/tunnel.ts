import type { RequestListener } from 'node:http';
import type { Listener } from 'listhen';
import { HookrelayError } from '../core/errors.ts';

export interface Tunnel {
  /** Public `https:` origin that leads here. */
  url: string;
  close(): Promise<void>;
}

/**
 * Makes the listener reachable from outside through listhen's tunnel
 * (cloudflared, which it fetches on first use and whose licence it asks to
 * accept), on a loopback port of its own.
 *
 * Throws `config_invalid` when no tunnel could be had.
 */
export async function openTunnel(listener: RequestListener): Promise<Tunnel> {
  let listening: Listener | undefined;
  try {
    // Only now: it takes longer to load than anything else here, and few open tunnels.
    const { listen } = await import('listhen');
    listening = await listen(listener, {
      hostname: '127.0.0.1',
      port: { port: 0, random: true },
      tunnel: true,
      autoClose: false,
      isProd: true,
      showURL: false,
    });
    const urls = await listening.getURLs();
    const url = urls.find(({ type }) => type === 'tunnel')?.url;
    if (url === undefined) throw new Error('it did not start');
    const opened = listening;
    return { url: new URL(url).origin, close: () => opened.close() };
  } catch (error) {
    await listening?.close();
    throw new HookrelayError('config_invalid', `no tunnel could be opened: ${String(error)}`, {
      hint: 'start without --tunnel, or put your own tunnel in front and set --public-url',
      cause: error,
    });
  }
}
