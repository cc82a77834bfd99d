import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { AreaField, SelectField } from '../../parts/form/text-field.tsx';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';
import { titleOf } from '../../text/verification-text.ts';
import { type DedupeKind, dedupeFormOf, dedupeOf, deliveryIdOf } from './dedupe-form.ts';
import { useProviders } from './use-providers.ts';

const KINDS: [DedupeKind, string][] = [
  ['off', 'off: every request is delivered'],
  ['provider', 'by the delivery id of the sender'],
  ['paths', 'by values of the request'],
];

/** Edits whether a repeated request is delivered again. */
export function DedupeSettings({ endpoint }: { endpoint: EndpointAnswer }) {
  return (
    <section>
      <h2>Once only</h2>
      <p class="muted">
        Senders send a request again when an answer is lost. A repeat is stored and answered, and
        not delivered.
      </p>
      <DedupeFields key={JSON.stringify(endpoint.dedupe)} endpoint={endpoint} />
    </section>
  );
}

function DedupeFields({ endpoint }: { endpoint: EndpointAnswer }) {
  const [{ kind, paths }, setForm] = useState(() => dedupeFormOf(endpoint));
  const { error, isBusy, change } = useSetting(endpoint.id);
  const submit = (event: Event) => {
    event.preventDefault();
    const dedupe = dedupeOf({ kind, paths });
    return change(
      { dedupe },
      dedupe ? 'Repeats are recognised from now on' : 'Every request is delivered',
    );
  };
  return (
    <form class="stacked" onSubmit={submit}>
      <SelectField
        label="Recognise repeats"
        name="dedupe"
        path={kind === 'paths' ? 'dedupe' : 'dedupe.by'}
        own={kind === 'paths'}
        error={error}
        note={kind === 'provider' ? <DeliveryId endpoint={endpoint} /> : undefined}
        of={KINDS}
        initial={kind}
        onText={(to) => setForm({ kind: to as DedupeKind, paths })}
      />
      {kind === 'paths' && (
        <AreaField
          label="Paths"
          name="dedupe-paths"
          path="dedupe.by"
          error={error}
          note="One a line, such as header.x-id or body.id. A request repeats another when all of them are equal; one that lacks a value is never a repeat."
          class="mono"
          rows={2}
          placeholder="body.id"
          value={paths}
          onText={(text) => setForm({ kind, paths: text })}
        />
      )}
      {error && error.issues.length === 0 && <Problem error={error} />}
      <div class="actions">
        <button type="submit" disabled={isBusy}>
          Save
        </button>
      </div>
    </form>
  );
}

/** Shows which values are the same when a sender repeats a request. */
function DeliveryId({ endpoint }: { endpoint: EndpointAnswer }) {
  const { value: catalogue } = useProviders();
  const { source } = endpoint;
  const id = deliveryIdOf(endpoint, catalogue);
  if (source === null || id === 'unknown') {
    return <>Of the provider that the headers of a request show.</>;
  }
  const title = titleOf(source.provider, catalogue);
  if (id === 'none') return <>{title} gives its deliveries no id. Choose values of the request.</>;
  return (
    <>
      {title} repeats <span class="mono wrap">{id.join(', ')}</span>.
    </>
  );
}
