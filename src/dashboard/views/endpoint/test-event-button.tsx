import { useState } from 'preact/hooks';
import { act, loadSamples, sendTestEvent } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';

const DEFAULT_SAMPLE = 'stripe.invoice.paid';

/** A button that sends a sample, with a menu to choose the sample. */
export function TestEventButton({
  endpointId,
  isActive,
}: {
  endpointId: string;
  isActive: boolean;
}) {
  const { value: samples } = useLoaded('samples', loadSamples);
  const [name, setName] = useState(DEFAULT_SAMPLE);
  const [isBusy, once] = useAction();
  const send = () => once(() => act(() => sendTestEvent(endpointId, name)));
  const providers = Map.groupBy(samples ?? [], ({ provider }) => provider);
  return (
    <span class="joined test-event">
      <button
        type="button"
        onClick={send}
        aria-busy={isBusy}
        disabled={isBusy || !isActive}
        title={isActive ? undefined : 'The endpoint is paused'}
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
