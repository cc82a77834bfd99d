/**
 * Where a server of this configuration is reached from this machine; with port 0,
 * only the server itself knows. One that listens on all IPv6 addresses may listen
 * on no IPv4 address.
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
