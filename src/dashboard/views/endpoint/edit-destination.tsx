import { useEffect, useRef, useState } from 'preact/hooks';
import type { Destination } from '../../../api/answers/destination.ts';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import {
  changeOf,
  type DestinationForm,
  formOf,
  headerIssues,
  headerRows,
} from '../../text/destination-form.ts';
import { SignAsField } from '../proof/sign-as-field.tsx';
import { RuleVersions, TryFilter } from './destination-rules.tsx';
import { FlowFields } from './flow-fields.tsx';
import { HeaderFields } from './header-fields.tsx';

const PATHS = [
  ['append', 'add the event’s path and query'],
  ['ignore', 'leave the address as it is'],
] as const;

const STATES = [
  ['active', 'active'],
  ['paused', 'paused: deliveries wait'],
  ['disabled', 'disabled: new events make no deliveries'],
] as const;

interface EditDestinationProps {
  endpoint: Endpoint;
  destinationId: string;
  onChanged(): void;
  onClose(): void;
}

/** Changes a destination. Its settings are loaded first: the list may be older. */
export function EditDestination({ endpoint, destinationId, ...rest }: EditDestinationProps) {
  const path = `/api/endpoints/${endpoint.id}/destinations/${destinationId}`;
  const { value, error, reload } = useLoaded(path, (signal) =>
    session.call<Destination>('GET', path, { signal }),
  );
  return (
    <Dialog title="Edit the destination" onClose={rest.onClose}>
      {error && <Problem error={error} retry={reload} />}
      {!value && !error && <p class="waiting">Loading …</p>}
      {value && (
        <DestinationSettings path={path} endpoint={endpoint} destination={value} {...rest} />
      )}
    </Dialog>
  );
}

interface DestinationSettingsProps extends Omit<EditDestinationProps, 'destinationId'> {
  path: string;
  destination: Destination;
}

/** Sends only the fields that differ. */
function DestinationSettings(props: DestinationSettingsProps) {
  const { path, endpoint, destination, onChanged, onClose } = props;
  const [initial] = useState(() => formOf(destination));
  const [headers, setHeaders] = useState(() => headerRows(destination));
  const [isUnsigned, setUnsigned] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const filter = useRef<HTMLTextAreaElement>(null);
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const issues = headerIssues(headers);
    if (issues.length > 0) {
      setError(new ApiError(0, 'invalid_input', 'Two headers have the same name', null, issues));
      return;
    }
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const secret = String(data.get('secret') ?? '');
    const body = changeOf(destination, typedIn(data, initial), { secret, isUnsigned }, headers);
    await once(async () => {
      try {
        await session.call('PATCH', path, { body });
        tell('The destination is changed');
        onChanged();
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <form class="stacked" onSubmit={submit} ref={form}>
      <Field label="Name" name="name" error={error}>
        {(control) => (
          <input {...control} maxLength={200} placeholder="none" defaultValue={initial.name} />
        )}
      </Field>
      <Field label="URL" name="url" error={error}>
        {(control) => <input {...control} type="url" required defaultValue={initial.url} />}
      </Field>
      <Field label="Path" name="path" error={error}>
        {(control) => (
          <select {...control}>
            <Options of={PATHS} initial={initial.path} />
          </select>
        )}
      </Field>
      <Field label="State" name="state" error={error}>
        {(control) => (
          <select {...control}>
            <Options of={STATES} initial={initial.state} />
          </select>
        )}
      </Field>
      <Field label="Filter" name="filter" error={error}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            spellcheck={false}
            placeholder="every event, or body.type=invoice.paid"
            defaultValue={initial.filter}
            ref={filter}
          />
        )}
      </Field>
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
      <FlowFields initial={initial} error={error} />
      <HeaderFields rows={headers} error={error} onChange={setHeaders} />
      <Field
        label="New signing secret"
        name="secret"
        error={error}
        note="Replaces the secret at once. After a rotation, the old one signs too for a while."
      >
        {(control) => (
          <input
            {...control}
            maxLength={256}
            autocomplete="off"
            disabled={isUnsigned}
            placeholder={destination.secret ? `${destination.secret} stays` : 'none'}
          />
        )}
      </Field>
      <SignAsField source={endpoint.source} initial={initial.sign_as} error={error} />
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
      <p class="muted">Deliveries that wait go to the new URL, with the new settings.</p>
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
  );
}

/** The fields as typed. Those that aren't shown are as they were. */
function typedIn(data: FormData, initial: DestinationForm): DestinationForm {
  const typed = { ...initial };
  for (const name of Object.keys(initial) as (keyof DestinationForm)[]) {
    const value = data.get(name);
    if (value !== null) typed[name] = String(value).trim();
  }
  return typed;
}
