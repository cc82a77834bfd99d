import type { Handshake } from '../provider.ts';
import { accepted } from './answers.ts';

/** Returns the handshake of a HEAD request, which expects 200. */
export function headRequest(purpose: string): Handshake {
  return { method: 'HEAD', answer: () => accepted(), purpose };
}
