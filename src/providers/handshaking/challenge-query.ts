import type { Handshake } from '../provider.ts';
import { echo } from './answers.ts';

/** GET with a query parameter, whose value is wanted back as text. */
export function challengeQuery(name: string, purpose: string): Handshake {
  return {
    matches: ({ method, query }) =>
      method === 'GET' && query.includes(name) && new URLSearchParams(query).has(name),
    answer: ({ query }) => echo(new URLSearchParams(query).get(name)),
    purpose,
  };
}
