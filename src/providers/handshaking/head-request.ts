import type { Handshake } from '../provider.ts';
import { accepted } from './answers.ts';

/** HEAD, which wants 200. */
export function headRequest(purpose: string): Handshake {
  return { matches: ({ method }) => method === 'HEAD', answer: () => accepted(), purpose };
}
