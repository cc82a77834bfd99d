/**
 * Returns the URL at which this machine reaches a server with this configuration. `::` becomes
 * `::1`, because such a server may have no IPv4 address. Port 0 gives a useless URL: only the
 * running server knows its port.
 */
export function listeningUrl({
  host,
  port,
  tls,
}: {
  host: string;
  port: number;
  tls: object | null;
}): string {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = anywhere[host] ?? host;
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
