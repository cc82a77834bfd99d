import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AttemptAnswer } from '../../../api/deliveries/attempt-answer.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import { session } from '../../model/page.ts';
import { FieldTable } from '../../parts/field-table.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { useAct } from '../../parts/form/use-act.ts';
import { readable } from '../../parts/readable.ts';
import { saveFile } from '../../parts/save-file.ts';

/** At most this many characters of a sent body are shown. The download has all of them. */
const SHOWN_CHARACTERS = 64 * 1024;

interface AttemptSidesProps {
  attempt: AttemptAnswer;
  requestLine: string;
}

/** Shows what was sent and what came back. If there is space, they are side by side. */
export function AttemptSides({ attempt, requestLine }: AttemptSidesProps) {
  const { request_headers, response_headers, response_code, response_body } = attempt;
  const [isOpen, setOpen] = useState(false);
  const sent = request_headers === null ? null : counted(request_headers.length, 'header');
  const came =
    response_code === null ? 'no answer' : counted(response_body?.length ?? 0, 'character');
  if (sent === null && response_code === null) return null;
  return (
    <details class="attempt-sides" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {sent === null ? `Response · ${came}` : `Request · ${sent} · Response · ${came}`}
      </summary>
      {isOpen && (
        <div class="both-sides">
          {request_headers !== null && (
            <Side title="Request" line={requestLine} headers={request_headers}>
              <SentBody attemptId={attempt.id} />
            </Side>
          )}
          {response_code !== null && (
            <Side
              title={attempt.response_truncated ? 'Response, cut' : 'Response'}
              line={String(response_code)}
              headers={response_headers ?? []}
            >
              {response_body !== null && response_body !== '' && (
                <pre class="raw" {...readable('Body of the response')}>
                  <Foreign text={response_body} kept={'\n\r\t'} />
                </pre>
              )}
            </Side>
          )}
        </div>
      )}
    </details>
  );
}

interface SideProps {
  title: string;
  line: string;
  headers: [name: string, value: string][];
  children: ComponentChildren;
}

function Side({ title, line, headers, children }: SideProps) {
  return (
    <section class="attempt-side" aria-label={title}>
      <h4>{title}</h4>
      <p class="mono wrap">
        <Foreign text={line} />
      </p>
      {headers.length > 0 && (
        <FieldTable fields={headers.map(([name, value]) => ({ name, value, note: null }))} />
      )}
      {children}
    </section>
  );
}

/** Shows the exact body of a request. Loads the body when the user asks for it. */
function SentBody({ attemptId }: { attemptId: string }) {
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const [isBusy, run] = useAct();
  const load = async () => {
    const answer = await session.request('GET /api/attempts/{attemptId}/request', {
      params: { attemptId },
    });
    return new Uint8Array(await answer.arrayBuffer());
  };
  const show = () => run(async () => setBytes(await load()));
  const save = () => run(async () => saveFile(`${attemptId}.bin`, bytes ?? (await load())));
  const text = bytes && new TextDecoder().decode(bytes.subarray(0, SHOWN_CHARACTERS));
  return (
    <>
      <div class="actions">
        {bytes === null && (
          <button type="button" disabled={isBusy} aria-busy={isBusy} onClick={show}>
            Show the body
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={save}>
          Body as sent ↓
        </button>
      </div>
      {bytes !== null && bytes.length === 0 && <p class="muted">The body is empty.</p>}
      {bytes !== null && bytes.length > 0 && (
        <>
          <pre class="raw" {...readable('Body of the request')}>
            <Foreign text={text ?? ''} kept={'\n\r\t'} />
          </pre>
          {bytes.length > SHOWN_CHARACTERS && (
            <p class="muted">
              The first {formatSize(SHOWN_CHARACTERS)} of {formatSize(bytes.length)}. The download
              has all.
            </p>
          )}
        </>
      )}
    </>
  );
}
