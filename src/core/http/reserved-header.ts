/**
 * Headers that only hookrelay and the connection set: names, and beginnings of names.
 * `Content-*` describes the body, which hookrelay sends as it came.
 */
export const RESERVED_NAMES = [
  ...['host', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['connection', 'keep-alive', 'accept-encoding'],
] as const;
export const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-hookrelay-'] as const;

/** Whether a destination's own headers may not have this name. Case doesn't matter. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    RESERVED_NAMES.some((reserved) => reserved === lower) ||
    RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
  );
}
