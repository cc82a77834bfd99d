import type { AttemptAnswer } from '../../../api/deliveries/attempt-answer.ts';
import { formatDuration } from '../../../core/text/duration.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { AttemptSides } from './attempt-sides.tsx';

interface AttemptLineProps {
  attempt: AttemptAnswer;
  /** The previous attempt; undefined for the first attempt. */
  before: AttemptAnswer | undefined;
  /** The duration of the slowest displayed attempt, ms. */
  longest: number;
  /** The method and the target of the request. */
  requestLine: string;
}

/** Shows an attempt's time, outcome and duration, and both sides of the request. */
export function AttemptLine({ attempt, before, longest, requestLine }: AttemptLineProps) {
  const { response_code: code, error, duration_ms, probe } = attempt;
  const gapMs = before && Date.parse(attempt.attempted_at) - Date.parse(before.attempted_at);
  const isOk = code !== null && code >= 200 && code < 300;
  return (
    <li class={isOk ? 'is-ok' : 'is-bad'}>
      <div class="attempt-line">
        <span class="attempt-number">#{attempt.attempt}</span>
        <span class="attempt-code">{code ?? error?.code ?? 'no answer'}</span>
        {probe && <span class="badge">probe</span>}
        <span class="attempt-when">
          <Time at={attempt.attempted_at} form="said" />
          {gapMs !== undefined && <span class="muted"> · {formatDuration(gapMs)} later</span>}
        </span>
        <span class="attempt-bar" aria-hidden="true">
          <span style={{ width: `${Math.max(1, (100 * duration_ms) / longest)}%` }} />
        </span>
        <span class="attempt-time">{formatDuration(duration_ms)}</span>
      </div>
      {error && (
        <p class="attempt-error">
          <Foreign text={error.message} />
        </p>
      )}
      {error?.code === 'not_verified' && (
        <p class="muted">
          The destination signs as the provider does, and only what was verified. Correct the source
          and let the sender send again, or edit the destination to pass the sender’s own signature
          on.
        </p>
      )}
      <AttemptSides attempt={attempt} requestLine={requestLine} />
    </li>
  );
}
