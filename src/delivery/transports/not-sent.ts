import type { AttemptError } from '../../core/model.ts';
import type { AttemptOutcome } from './transport.ts';

/** Returns the outcome of an attempt that failed before anything was sent. */
export function notSent(error: AttemptError, verdict: 'retryable' | 'fatal'): AttemptOutcome {
  return {
    responseCode: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    durationMs: 0,
    error,
    verdict,
    retryAfterMs: null,
    timedOut: false,
    reach: 'not_sent',
    requestHeaders: null,
  };
}
