import { useState } from 'preact/hooks';
import { act, loadSamples, sendTestEvent } from '../../model/page.ts';
import { useLoaded } from '../../parts/use-loaded.ts';

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
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await act(() => sendTestEvent(endpointId, name));
    setBusy(false);
  };
  const providers = Map.groupBy(samples ?? [], ({ provider }) => provider);
  return (
    <span class="joined">
      <button
        type="button"
        class="primary"
        onClick={send}
        disabled={isBusy || !isActive}
        title={isActive ? undefined : 'The endpoint is paused'}
      >
        Send a test event
      </button>
      <select
        class="primary"
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
