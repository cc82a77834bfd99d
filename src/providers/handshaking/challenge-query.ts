import type { Handshake } from '../provider.ts';
import { echo } from './answers.ts';

/**
 * Returns the handshake of a GET with a query parameter. The answer repeats the parameter's value
 * as text.
 */
export function challengeQuery(name: string, purpose: string): Handshake {
  return {
    method: 'GET',
    matches: ({ query }) => query.includes(name) && new URLSearchParams(query).has(name),
    answer: ({ query }) => echo(new URLSearchParams(query).get(name)),
    purpose,
  };
}
