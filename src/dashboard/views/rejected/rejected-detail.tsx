import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { session } from '../../model/page.ts';
import { rejectedPath } from '../../model/router.ts';
import { BodyView } from '../../parts/body/body-view.tsx';
import { FieldTable } from '../../parts/field-table.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { RequestFacts, RequestLine } from '../../parts/request-line.tsx';
import { type RejectedDetail, readRejected } from '../../text/event-answer.ts';
import { Proof } from '../proof/event-proof.tsx';
import { AcceptRejected } from './accept-rejected.tsx';

interface RejectedDetailViewProps {
  endpoint: EndpointAnswer;
  rejectedId: string;
}

/** Shows a rejected request with its headers and its body. */
export function RejectedDetailView({ endpoint, rejectedId }: RejectedDetailViewProps) {
  const { value, error, reload } = useLoaded(`${endpoint.id} ${rejectedId}`, async (signal) => {
    const answer = await session.request('GET /api/endpoints/{id}/rejected/{rejectedId}', {
      params: { id: endpoint.id, rejectedId },
      signal,
    });
    return readRejected(await answer.text());
  });
  return (
    <div class="page-body">
      <p>
        <a href={rejectedPath(endpoint.id)}>← All rejected requests</a>
      </p>
      {error?.code === 'rejected_not_found' ? (
        <div class="empty">
          <p>This request isn’t kept any longer: it was accepted, or newer ones took its place.</p>
        </div>
      ) : (
        error && <Problem error={error} retry={reload} />
      )}
      {!value && !error && <p class="waiting">Loading …</p>}
      {value && <Detail endpoint={endpoint} request={value} />}
    </div>
  );
}

interface DetailProps {
  endpoint: EndpointAnswer;
  request: RejectedDetail;
}

function Detail({ endpoint, request }: DetailProps) {
  const [isAccepting, setAccepting] = useState(false);
  return (
    <>
      <section>
        <h2 class="rejected-target">
          <RequestLine {...request} />
        </h2>
        <RequestFacts {...request} />
        <Proof request={request} />
        <div class="actions">
          <button type="button" onClick={() => setAccepting(true)}>
            Accept …
          </button>
        </div>
      </section>
      <section>
        <h2>Headers</h2>
        <FieldTable
          fields={request.raw_headers.map(([name, value]) => ({ name, value, note: null }))}
        />
      </section>
      <section>
        <h2>Body</h2>
        <BodyView event={request} />
      </section>
      {isAccepting && (
        <AcceptRejected
          endpoint={endpoint}
          rejectedId={request.id}
          onClose={() => setAccepting(false)}
        />
      )}
    </>
  );
}
