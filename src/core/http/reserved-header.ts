/**
 * Headers that only hookrelay and the connection may set. `Content-*` describes the body, which
 * hookrelay sends unchanged.
 */
export const RESERVED_NAMES = [
  ...['host', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['connection', 'keep-alive', 'accept-encoding'],
] as const;
export const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-hookrelay-'] as const;

/** Returns whether a destination may not set a header with this name. Case doesn't matter. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    RESERVED_NAMES.some((reserved) => reserved === lower) ||
    RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
  );
}
