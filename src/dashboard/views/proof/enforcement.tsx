import { useState } from 'preact/hooks';
import type { EndpointAnswer, SourceAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { rejectedPath } from '../../model/router.ts';
import { useAct } from '../../parts/form/use-act.ts';
import { EnforceDialog, enforce } from './enforce-dialog.tsx';

interface EnforcementProps {
  endpoint: EndpointAnswer;
  source: SourceAnswer;
}

/** Edits whether the endpoint captures or refuses a request that fails verification. */
export function Enforcement({ endpoint, source }: EnforcementProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, run] = useAct();
  return (
    <section>
      <h2>
        Enforce{' '}
        <span class={`badge ${source.enforce ? 'is-delivered' : ''}`}>
          {source.enforce ? 'on' : 'off'}
        </span>
      </h2>
      {source.enforce ? (
        <>
          <p class="muted">
            A request that fails is answered 401, or 503 where a key can’t be fetched now, and makes
            no event. The newest are kept among the{' '}
            <a href={rejectedPath(endpoint.id)}>rejected requests</a>, where you can accept them.
          </p>
          <button
            type="button"
            disabled={isBusy}
            aria-busy={isBusy}
            onClick={() => run(() => enforce(endpoint.id, false))}
          >
            Stop enforcing
          </button>
        </>
      ) : (
        <>
          <p class="muted">
            A request that fails is captured and delivered like any, marked as failed. If the source
            is enforced, it is answered 401 and makes no event.
          </p>
          <button type="button" onClick={() => setAsking(true)}>
            Enforce …
          </button>
        </>
      )}
      {isAsking && <EnforceDialog endpointId={endpoint.id} onClose={() => setAsking(false)} />}
    </section>
  );
}
