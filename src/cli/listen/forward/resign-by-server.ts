import type { SignedHeaders } from '../../../api/events/event-answer.ts';
import type { AttemptError } from '../../../core/model.ts';
import { opt } from '../../../core/text/words.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { hasCode } from '../../command-error.ts';
import { patiently } from '../../streams/fetch-event.ts';

/** Signs an event for a URL as its provider does. Returns the headers or the error. */
export type Resign = (eventId: string, url: string) => Promise<SignedHeaders | AttemptError>;

/** The server signs, because only it has the secrets. Retries while the server is unreachable. */
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
        if (!hasCode(error, 'not_verified', 'url_not_allowed')) throw error;
        const { message, hint } = error;
        return { code: 'not_verified', message: message + opt`; ${hint}` };
      }
    }, signal);
}
