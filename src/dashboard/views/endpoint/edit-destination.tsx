import { useRef, useState } from 'preact/hooks';
import type { Destination, Endpoint } from '../../../api/api-types.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ruleText } from '../../text/rule-trial.ts';
import { RuleVersions, TryFilter } from './destination-rules.tsx';

interface EditDestinationProps {
  endpoint: Endpoint;
  destination: Destination;
  onChanged(): void;
  onClose(): void;
}

/** Changes a destination; sends only the fields that differ. */
export function EditDestination({
  endpoint,
  destination,
  onChanged,
  onClose,
}: EditDestinationProps) {
  const [isUnsigned, setUnsigned] = useState(false);
  const filter = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = changes(destination, form, isUnsigned);
    setBusy(true);
    try {
      const path = `/api/endpoints/${endpoint.id}/destinations/${destination.id}`;
      await session.call('PATCH', path, { body });
      tell('The destination is changed');
      onChanged();
      onClose();
    } catch (failed) {
      setError(asApiError(failed));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Edit the destination" onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <label>
          Name
          <input
            name="name"
            maxLength={200}
            placeholder="none"
            defaultValue={destination.name ?? ''}
          />
        </label>
        <label>
          URL
          <input name="url" type="url" required defaultValue={destination.url} />
        </label>
        <label>
          Filter
          <textarea
            name="filter"
            rows={2}
            spellcheck={false}
            placeholder="every event, or body.type=invoice.paid"
            defaultValue={ruleText(destination.filter)}
            ref={filter}
          />
        </label>
        <TryFilter
          endpointId={endpoint.id}
          destinationId={destination.id}
          filter={() => filter.current?.value.trim() ?? ''}
        />
        <RuleVersions
          endpointId={endpoint.id}
          destinationId={destination.id}
          onSet={() => {
            tell('The filter is set again');
            onChanged();
            onClose();
          }}
        />
        <label>
          New signing secret
          <input
            name="secret"
            maxLength={256}
            autocomplete="off"
            disabled={isUnsigned}
            placeholder={destination.secret ? `${destination.secret} stays` : 'none'}
          />
        </label>
        {destination.secret !== undefined && (
          <label class="choice">
            <input
              type="checkbox"
              checked={isUnsigned}
              onChange={(event) => setUnsigned(event.currentTarget.checked)}
            />
            Remove the secret
          </label>
        )}
        <p class="muted">Deliveries that wait go to the new URL, with the new secret.</p>
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What a PATCH takes. */
type DestinationChange = Partial<Pick<Destination, 'name' | 'url'>> & {
  secret?: string | null;
  filter?: string | null;
};

function changes(before: Destination, form: FormData, isUnsigned: boolean): DestinationChange {
  const text = (field: string) => String(form.get(field) ?? '').trim();
  const name = text('name') === '' ? null : text('name');
  const secret = String(form.get('secret') ?? '');
  const filter = text('filter');
  return {
    ...(name !== before.name && { name }),
    ...(text('url') !== before.url && { url: text('url') }),
    ...(filter !== ruleText(before.filter) && { filter: filter === '' ? null : filter }),
    ...(isUnsigned ? { secret: null } : secret !== '' && { secret }),
  };
}
