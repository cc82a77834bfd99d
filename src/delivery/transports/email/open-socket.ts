import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import type { SmtpSettings } from '../../../core/channels/smtp-settings.ts';
import { tlsFailure } from '../../network/connection-error.ts';

/** Options that keep TLS strict despite NODE_TLS_REJECT_UNAUTHORIZED or --tls-min-v1.0. */
export const TLS_OPTIONS = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;

/**
 * Connects to a mail server. If `security` is `tls`, also makes the TLS handshake. Rejects with an
 * `AttemptFailure` if the handshake fails.
 */
export async function openSocket({
  host,
  port,
  security,
  lookup,
  stop,
}: Pick<SmtpSettings, 'host' | 'port' | 'security'> & {
  lookup: net.LookupFunction;
  stop: AbortSignal;
}): Promise<net.Socket> {
  const plain = net.connect({ host, port, lookup, autoSelectFamily: true });
  await first(plain, 'connect', stop);
  if (security !== 'tls') return plain;
  const secure = tls.connect({
    socket: plain,
    ...TLS_OPTIONS,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
  });
  await first(secure, 'secureConnect', stop).catch((error: Error) => {
    throw stop.aborted ? error : tlsFailure(error);
  });
  return secure;
}

/** Waits for an event of a socket. Destroys the socket if that fails or `stop` aborts. */
async function first(socket: net.Socket, event: string, stop: AbortSignal): Promise<void> {
  // A later error has no other listener, and would end the process.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal: stop });
  } catch (error) {
    socket.destroy();
    throw stop.aborted ? stop.reason : error;
  }
}
