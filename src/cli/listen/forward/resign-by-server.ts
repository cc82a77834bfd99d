import type { SignedHeaders } from '../../../api/events/event-answer.ts';
import { type ErrorCode, HookrelayError } from '../../../core/errors.ts';
import type { AttemptError } from '../../../core/model.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { patiently } from '../../streams/fetch-event.ts';

/** Codes of an event that the server doesn't sign for a URL. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['not_verified', 'url_not_allowed']);

/** Signs an event for a URL as its provider does, or says why it isn't signed. */
export type Resign = (eventId: string, url: string) => Promise<SignedHeaders | AttemptError>;

/**
 * Has the server sign: it has the secrets. Waits for a server that is unreachable, until
 * `signal`.
 */
export function resignByServer(client: Pick<ApiClient, 'call'>, signal: AbortSignal): Resign {
  return (eventId, url) =>
    patiently(async () => {
      try {
        return await client.call('POST /api/events/{eventId}/signed-headers', {
          params: { eventId },
          body: { url },
          signal,
        });
      } catch (error) {
        if (!(error instanceof HookrelayError) || !REFUSALS.has(error.code)) throw error;
        const { message, hint } = error;
        return {
          code: 'not_verified',
          message: hint === undefined ? message : `${message}; ${hint}`,
        };
      }
    }, signal);
}
