import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';

/** Edits what happens to an event whose body filters can't judge. */
export function OnUnjudged({ endpoint: { id, on_unjudged } }: { endpoint: EndpointAnswer }) {
  const { error, isBusy, change } = useSetting(id);
  const isHeld = on_unjudged === 'hold';
  return (
    <section>
      <h2>Events that filters can’t judge</h2>
      <p class="muted">
        {isHeld
          ? 'A body with too many values is held: its deliveries wait until you retry or cancel them.'
          : 'A body with too many values is delivered, though a filter might have dropped it.'}{' '}
        An issue says which events these are.
      </p>
      {error && <Problem error={error} />}
      <button
        type="button"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() =>
          change(
            { on_unjudged: isHeld ? 'deliver' : 'hold' },
            isHeld ? 'They are delivered from now on' : 'They are held from now on',
          )
        }
      >
        {isHeld ? 'Deliver them' : 'Hold them'}
      </button>
    </section>
  );
}
