/**
 * Returns the URL at which this machine reaches a server with this configuration. A server that
 * listens on all IPv6 addresses may have no IPv4 address, so `::` becomes `::1`. For port 0 the URL
 * is useless, because only the running server knows its port.
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
