import { useEffect, useState } from 'preact/hooks';
import type { RuleTrialAnswer } from '../../../api/rules/rule-answer.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';

/** How long the user must pause in typing before a trial starts, ms. */
const TYPING_MS = 400;
/** Delay before a trial is repeated if another trial was running, ms. */
const TURN_MS = 500;

export interface TrialInput {
  endpointId: string;
  destinationId: string;
  /** The filter. Null tries nothing. An empty text is no filter, so every event passes. */
  text: string | null;
  /** How many of the newest events the filter is tried on. */
  last: number;
  /**
   * The saved filter of the destination. The trial compares with it, so a change starts a new
   * trial.
   */
  saved: string;
}

export interface Trial {
  /** The text to which `result` or `error` belongs. */
  text: string | null;
  last: number;
  result: RuleTrialAnswer | null;
  error: ApiError | null;
  isTrying: boolean;
}

const NONE: Trial = { text: null, last: 0, result: null, error: null, isTrying: false };

/**
 * Tries a filter on past events while somebody types it. The account may try one rule at a time. So
 * a newer text aborts the running trial, and waits if the server is still busy with it. The earlier
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
