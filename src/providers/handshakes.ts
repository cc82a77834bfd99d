import { PROVIDERS } from './providers.ts';

/** Every provider's handshake. A request belongs to the first one that it matches. */
export const HANDSHAKES = PROVIDERS.flatMap(({ handshakes }) => handshakes ?? []);
