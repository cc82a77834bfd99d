import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { loadSamples, sendTestEvent } from '../../model/page.ts';
import { useAct } from '../../parts/form/use-act.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';

const DEFAULT_SAMPLE = 'stripe.invoice.paid';

/** A button that sends a sample, with a menu to choose the sample. */
export function TestEventButton({ endpoint: { id, is_active } }: { endpoint: EndpointAnswer }) {
  const { value: samples } = useLoaded('samples', loadSamples);
  const [name, setName] = useState(DEFAULT_SAMPLE);
  const [isBusy, run] = useAct();
  const send = () => run(() => sendTestEvent(id, name));
  const providers = Map.groupBy(samples ?? [], ({ provider }) => provider);
  return (
    <span class="joined test-event">
      <button
        type="button"
        onClick={send}
        aria-busy={isBusy}
        disabled={isBusy || !is_active}
        title={is_active ? undefined : 'The endpoint is paused'}
      >
        Send a test event
      </button>
      <select
        aria-label="Which test event"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      >
        {samples === null && <option value={DEFAULT_SAMPLE}>{DEFAULT_SAMPLE}</option>}
        {[...providers].map(([provider, of]) => (
          <optgroup key={provider} label={provider}>
            {of.map((sample) => (
              <option key={sample.name} value={sample.name}>
                {sample.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </span>
  );
}
