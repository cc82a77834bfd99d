import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import { loadEvent } from '../../model/page.ts';
import { eventPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Pending } from '../../parts/pending.tsx';
import { StatusBadge } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventDetail } from '../../text/event-answer.ts';
import { whatText } from '../../text/event-facts.ts';
import { payloadOfForm } from '../../text/form-fields.ts';
import { diffRequests, firstDifference } from './event-diff.ts';
import { type Difference, diffJson } from './json-diff.ts';

const TextDiff = lazy(async () => (await import('./text-diff.tsx')).TextDiff);

/** Returns the text to compare as JSON: the payload of a form, or the body. */
const jsonText = ({ content_type, text }: EventDetail): string | null =>
  payloadOfForm(content_type, text) ?? text;

interface CompareProps {
  endpoint: EndpointAnswer;
  left: string;
  right: string;
}

export function Compare({ endpoint, left, right }: CompareProps) {
  const loaded = useLoaded(`${left} ${right}`, (signal) =>
    Promise.all([loadEvent(endpoint.id, left, signal), loadEvent(endpoint.id, right, signal)]),
  );
  const { value, error } = loaded;
  if (error || !value) return <Pending {...loaded} />;
  const [a, b] = value;
  const inRequest = diffRequests(a, b);
  const at = firstDifference(a.bytes, b.bytes);
  const [inA, inB] = [jsonText(a), jsonText(b)];
  const inBody = inA !== null && inB !== null ? diffJson(inA, inB) : null;
  return (
    <div class="page-body">
      <div class="page-head">
        <h1>Two events compared</h1>
        <a href={`/endpoints/${endpoint.id}/compare/${right}/${left}`}>Swap</a>
      </div>
      <div class="sides">
        <Side event={a} name="Left" />
        <Side event={b} name="Right" />
      </div>
      <section>
        <h2>Body</h2>
        {at === null && <p>The bodies are the same, byte for byte.</p>}
        {at !== null && inBody?.length === 0 && (
          <p>Written differently, but every value is the same.</p>
        )}
        {at !== null && inBody && inBody.length > 0 && (
          <DifferenceTable differences={inBody} label="Differences of the bodies" />
        )}
        {at !== null && !inBody && a.text !== null && b.text !== null && (
          <TextDiff left={a.text} right={b.text} />
        )}
        {at !== null && !inBody && (a.text === null || b.text === null) && (
          <p>
            They differ from byte {at} on ({formatSize(a.bytes.length)} and{' '}
            {formatSize(b.bytes.length)}
            ); not both are text.
          </p>
        )}
      </section>
      <section>
        <h2>Request and headers</h2>
        {inRequest.length === 0 ? (
          <p>No difference.</p>
        ) : (
          <DifferenceTable differences={inRequest} label="Differences of the requests" />
        )}
      </section>
    </div>
  );
}

function Side({ event, name }: { event: EventDetail; name: string }) {
  return (
    <div class="side">
      <h2>
        {name}:{' '}
        <a href={eventPath(event.endpoint_id, event.id)}>
          <Foreign text={whatText(event)} />
        </a>
      </h2>
      <p class="muted">
        <Time at={event.received_at} exact /> · {formatSize(event.size)}
      </p>
      <StatusBadge status={event.status} />
    </div>
  );
}

function kindOf({ left, right }: Difference): [kind: string, mark: string] {
  if (left === null) return ['added', '+'];
  return right === null ? ['removed', '−'] : ['changed', '~'];
}

function DifferenceTable({ differences, label }: { differences: Difference[]; label: string }) {
  return (
    <div class="table-box">
      <table class="diff" aria-label={label}>
        <caption>{counted(differences.length, 'difference')}</caption>
        <thead>
          <tr>
            <th>
              <span class="off-screen">Kind</span>
            </th>
            <th>Where</th>
            <th>Left</th>
            <th>Right</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference, i) => {
            const [kind, mark] = kindOf(difference);
            return (
              <tr key={i} class={`is-${kind}`}>
                <td title={kind}>{mark}</td>
                <td class="mono">
                  <Foreign text={difference.path} />
                </td>
                <td class="mono left">
                  <Foreign text={difference.left ?? ''} kept={'\n\t'} />
                </td>
                <td class="mono right-side">
                  <Foreign text={difference.right ?? ''} kept={'\n\t'} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
