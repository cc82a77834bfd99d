import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';

/** Edits whether the capture URL accepts requests. */
export function Pause({ endpoint: { id, is_active } }: { endpoint: EndpointAnswer }) {
  const { error, isBusy, change } = useSetting(id);
  return (
    <section>
      <h2>{is_active ? 'Pause' : 'Resume'}</h2>
      <p class="muted">
        {is_active
          ? 'A paused endpoint answers 404 and stores nothing. Deliveries under way go on.'
          : 'The capture URL answers 404 and stores nothing until you resume it.'}
      </p>
      {error && <Problem error={error} />}
      <button
        type="button"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => change({ is_active: !is_active }, is_active ? 'Paused' : 'Resumed')}
      >
        {is_active ? 'Pause' : 'Resume'}
      </button>
    </section>
  );
}
