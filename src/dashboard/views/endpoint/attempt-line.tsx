import type { Attempt } from '../../../api/answers/attempt.ts';
import { act, session } from '../../model/page.ts';
import { FieldTable } from '../../parts/field-table.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { saveFile } from '../../parts/save-file.ts';
import { durationText, fullTimeText, plural } from '../../text/format.ts';

/** An attempt: its answer, and both sides of the request. */
export function AttemptLine({ attempt, longest }: { attempt: Attempt; longest: number }) {
  const { response_code: code, error, duration_ms, probe } = attempt;
  const isOk = code !== null && code >= 200 && code < 300;
  return (
    <li class={isOk ? 'is-ok' : 'is-bad'}>
      <div class="attempt-line">
        <span class="attempt-number">#{attempt.attempt}</span>
        <span class="attempt-code">{code ?? error?.code ?? 'no answer'}</span>
        {probe && <span class="badge">probe</span>}
        <time dateTime={attempt.attempted_at}>{fullTimeText(attempt.attempted_at)}</time>
        <span class="attempt-bar" aria-hidden="true">
          <span style={{ width: `${Math.max(1, (100 * duration_ms) / longest)}%` }} />
        </span>
        <span class="attempt-time">{durationText(duration_ms)}</span>
      </div>
      {error && <p class="attempt-error">{error.message}</p>}
      {error?.code === 'not_verified' && (
        <p class="muted">
          The destination signs as the provider does, and only what was verified. Correct the source
          and let the sender send again, or edit the destination to pass the sender’s own signature
          on.
        </p>
      )}
      <Request attempt={attempt} />
      <Response attempt={attempt} />
    </li>
  );
}

function Request({ attempt: { id, request_headers: headers } }: { attempt: Attempt }) {
  const [isBusy, once] = useAction();
  if (headers === null) return null;
  const save = () =>
    once(() =>
      act(async () => {
        const answer = await session.request('GET', `/api/attempts/${id}/request`);
        saveFile(`${id}.bin`, await answer.blob());
      }),
    );
  return (
    <details>
      <summary>Request · {plural(headers.length, 'header')}</summary>
      <Headers of={headers} />
      <button type="button" class="link" disabled={isBusy} onClick={save}>
        Body as sent ↓
      </button>
    </details>
  );
}

function Response({ attempt }: { attempt: Attempt }) {
  const { response_headers: headers, response_body: body, response_truncated } = attempt;
  const hasBody = body !== null && body !== '';
  if (!hasBody && (headers === null || headers.length === 0)) return null;
  return (
    <details>
      <summary>
        Response{response_truncated && ', cut'} · {plural(body?.length ?? 0, 'character')}
      </summary>
      {headers !== null && headers.length > 0 && <Headers of={headers} />}
      {hasBody && <pre class="raw">{body}</pre>}
    </details>
  );
}

function Headers({ of }: { of: [name: string, value: string][] }) {
  return <FieldTable fields={of.map(([name, value]) => ({ name, value, note: null }))} />;
}
