import { useEffect, useState } from 'preact/hooks';
import type { RuleTrialAnswer } from '../../../api/rules/rule-answer.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';

/** A trial starts after this pause in typing, ms. */
const TYPING_MS = 400;
/** The delay before a retry if the server was busy with another trial, ms. */
const TURN_MS = 500;

export interface TrialInput {
  endpointId: string;
  destinationId: string;
  /** The filter. Null tries nothing. An empty text means no filter, so every event passes. */
  text: string | null;
  /** The filter is tried on this many of the newest events. */
  last: number;
  /** The destination's saved filter. The trial compares with it, so a change starts a new trial. */
  saved: string;
}

export interface Trial {
  /** The text that `result` or `error` is about. */
  text: string | null;
  last: number;
  result: RuleTrialAnswer | null;
  error: ApiError | null;
  isTrying: boolean;
}

const NONE: Trial = { text: null, last: 0, result: null, error: null, isTrying: false };

/**
 * Tries a filter on past events while somebody types. The server tries one rule per account at a
 * time. So a newer text aborts the running trial, and waits while the server is busy. The earlier
 * result stays until the new one comes.
 */
export function useTrial({ endpointId, destinationId, text, last, saved }: TrialInput): Trial {
  const [trial, setTrial] = useState<Trial>(NONE);
  useEffect(() => {
    if (text === null) return;
    const left = new AbortController();
    setTrial((before) => ({ ...before, isTrying: true }));
    const body = { filter: text.trim() === '' ? null : text, destination_id: destinationId, last };
    const attempt = async (): Promise<void> => {
      try {
        const result = await session.call('POST /api/endpoints/{id}/rules/try', {
          params: { id: endpointId },
          body,
          signal: left.signal,
        });
        setTrial({ text, last, result, error: null, isTrying: false });
      } catch (failed) {
        if (left.signal.aborted) return;
        const error = asApiError(failed);
        if (error.code === 'rate_limited') timer = setTimeout(attempt, TURN_MS);
        else setTrial((before) => ({ ...before, text, error, isTrying: false }));
      }
    };
    let timer = setTimeout(attempt, TYPING_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [endpointId, destinationId, text, last, saved]);
  return trial;
}
