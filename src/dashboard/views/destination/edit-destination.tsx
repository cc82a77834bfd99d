import { useEffect, useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { weaknessOf } from '../../../core/text/weak-secret.ts';
import { ApiError } from '../../model/api-error.ts';
import { destinationsOf, tell } from '../../model/page.ts';
import { HeaderRows } from '../../parts/form/header-rows.tsx';
import { SameName } from '../../parts/form/same-name.tsx';
import { Unsaved } from '../../parts/form/unsaved.tsx';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { useFaultFocus } from '../../parts/form/use-fault-focus.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { FilterSection } from '../rule/filter-section.tsx';
import { RuleVersions } from '../rule/rule-versions.tsx';
import { useTrial } from '../rule/use-trial.ts';
import { plainSettingsIn } from './destination-fields.ts';
import {
  bodyOf,
  changeOf,
  type DestinationForm,
  type DestinationInput,
  formOf,
  headerIssues,
  headerRows,
  isSameUrl,
} from './destination-form.ts';
import { FlowFields } from './flow-fields.tsx';
import { FormSection, SectionLinks } from './form-section.tsx';
import { type DestinationParams, loadDestination, patchDestination } from './load-destination.ts';
import { PlainField } from './plain-field.tsx';
import { SaveFault } from './save-fault.tsx';
import { SaveQuestion } from './save-question.tsx';
import { SigningFields } from './signing-fields.tsx';
import { UrlField } from './url-field.tsx';

/** How many events a filter is tried on at first. */
const TRIED_EVENTS = 1000;

interface EditDestinationProps {
  params: DestinationParams;
  endpoint: EndpointAnswer;
  /** The destination, with its filter as text. */
  destination: DestinationAnswer;
  onChanged(): void;
}

/**
 * Shows the settings of a destination. After a save, a new form begins with the values that the
 * server has rewritten.
 */
export function EditDestination(props: EditDestinationProps) {
  const { params, destination, onChanged } = props;
  // News may reload the destination while somebody types. So the form keeps the destination with
  // which it began.
  const [begun, setBegun] = useState({ turn: 0, destination });
  const [made, setMade] = useState<string | null>(null);
  // An undo may come from an earlier form, so count from the newest form's turn.
  const begin = (from: DestinationAnswer) =>
    setBegun(({ turn }) => ({ turn: turn + 1, destination: from }));
  return (
    <>
      {made !== null && (
        <SecretOnce secret={made}>
          <button type="button" class="link" onClick={() => setMade(null)}>
            I have it
          </button>
        </SecretOnce>
      )}
      <SettingsForm
        key={begun.turn}
        {...props}
        destination={begun.destination}
        onDiscard={() => begin(destination)}
        onSaved={(saved, secret) => {
          setMade(secret);
          begin(saved);
          onChanged();
        }}
        onVersion={async () => {
          begin(await loadDestination(params));
          onChanged();
        }}
      />
    </>
  );
}

interface SettingsFormProps extends EditDestinationProps {
  onDiscard(): void;
  /** @param secret the new secret; null if there is none */
  onSaved(saved: DestinationAnswer, secret: string | null): void;
  /** Called after another version of the filter was set. */
  onVersion(): Promise<void>;
}

/** The form of the settings. It sends only the fields that differ. */
function SettingsForm(props: SettingsFormProps) {
  const { params, endpoint, destination, onDiscard, onSaved, onVersion } = props;
  const [initial] = useState(() => formOf(destination));
  const [headers, setHeaders] = useState(() => headerRows(destination));
  const [filter, setFilter] = useState(initial.filter);
  const [secret, setSecret] = useState('');
  const [isUnsigned, setUnsigned] = useState(false);
  const [last, setLast] = useState(TRIED_EVENTS);
  const [change, setChange] = useState<DestinationInput>({});
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, setError, attempt } = useAttempt();
  /** The filter's text when the error occurred. */
  const [errorFilter, setErrorFilter] = useState('');
  const form = useFaultFocus(error);
  const { value: all } = useLoaded(endpoint.id, () => destinationsOf(endpoint.id));
  const isFilterChanged = 'filter' in change;
  const trial = useTrial({
    endpointId: endpoint.id,
    destinationId: destination.id,
    // Without a filter before and after, there is nothing to try.
    text: filter === '' && initial.filter === '' ? null : filter,
    last,
    saved: initial.filter,
  });
  const typed = (): DestinationInput => {
    const data = new FormData(form.current as HTMLFormElement);
    const values = { ...typedIn(data, initial), filter: filter.trim() };
    return changeOf(destination, values, { secret, isUnsigned }, headers);
  };
  const look = () => setChange(typed());
  useEffect(look, [headers, filter, secret, isUnsigned]);
  const isDirty = Object.keys(change).length > 0;
  const { url } = change;
  const twin = all?.find(
    (one) => url !== undefined && one.id !== destination.id && isSameUrl(one.url, url),
  );
  const weakness = isUnsigned ? null : weaknessOf(secret);
  const isTried = trial.text === filter && !trial.isTrying;
  const isHarmless = trial.result?.changed_total === 0 && trial.result.failed === 0;
  const sides = isFilterChanged && !(isTried && (trial.error || isHarmless));
  const save = () =>
    attempt(async () => {
      const saved = await patchDestination(params, typed()).finally(() => setErrorFilter(filter));
      tell('The destination is saved');
      onSaved(saved, secret === '' || isUnsigned ? null : secret);
    });
  const submit = async (event?: Event) => {
    event?.preventDefault();
    const issues = headerIssues(headers);
    if (issues.length > 0) {
      setError(new ApiError(0, 'invalid_input', 'two headers have the same name', null, issues));
      return;
    }
    if (!isDirty) return;
    if (sides || weakness !== null) setAsking(true);
    else await save();
  };
  return (
    <form class="settings-form" onSubmit={submit} onInput={look} ref={form} noValidate>
      <SectionLinks />
      <div class="settings-sections">
        <FormSection id="address">
          <PlainField name="name" initial={initial} error={error} />
          <SameName
            name={change.name}
            what="destination"
            others={all?.filter(({ id }) => id !== destination.id) ?? null}
          />
          <UrlField label="URL" error={error} twin={twin} defaultValue={initial.url} />
          <div class="columns">
            {plainSettingsIn('address', ['name']).map((name) => (
              <PlainField key={name} name={name} initial={initial} error={error} />
            ))}
          </div>
        </FormSection>
        <FormSection id="filter">
          <FilterSection
            endpointId={endpoint.id}
            initial={initial.filter}
            text={filter}
            trial={trial}
            last={last}
            error={errorFilter === filter ? error : null}
            onChange={setFilter}
            onLast={setLast}
            onSubmit={submit}
          />
          <details class="versions">
            <summary>Versions</summary>
            <RuleVersions
              endpointId={endpoint.id}
              destinationId={destination.id}
              present={initial.filter}
              isDirty={isDirty}
              onSet={onVersion}
            />
          </details>
        </FormSection>
        <FormSection id="flow">
          <FlowFields initial={initial} error={error} />
        </FormSection>
        <FormSection id="headers">
          <HeaderRows
            rows={headers}
            path="headers"
            error={error}
            example={{ name: 'authorization', value: 'Bearer …' }}
            onChange={setHeaders}
          />
        </FormSection>
        <FormSection id="signing">
          <SigningFields
            endpoint={endpoint}
            destination={destination}
            initial={initial}
            error={error}
            secret={secret}
            isUnsigned={isUnsigned}
            onSecret={setSecret}
            onUnsigned={setUnsigned}
          />
        </FormSection>
      </div>
      <div class="save-bar">
        <div class="save-text">
          {error ? (
            <SaveFault
              error={error}
              what="Couldn’t save the destination"
              fields={[...Object.keys(bodyOf(initial)), 'headers', 'secret']}
            />
          ) : (
            <p class="muted" role="status">
              {isDirty ? 'Unsaved changes' : 'No changes'}
            </p>
          )}
        </div>
        <button type="button" class="quiet" disabled={!isDirty || isBusy} onClick={onDiscard}>
          Discard
        </button>
        <button type="submit" class="primary" disabled={!isDirty || isBusy} aria-busy={isBusy}>
          Save
        </button>
      </div>
      <Unsaved isDirty={isDirty && !isBusy} what="Your changes to this destination are lost." />
      {isAsking && (
        <SaveQuestion
          trial={sides ? trial : null}
          isTried={isTried}
          weakness={weakness}
          onSave={save}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  );
}

/** Returns the fields as the user typed them. Absent fields keep their initial values. */
function typedIn(data: FormData, initial: DestinationForm): DestinationForm {
  const typed = { ...initial };
  for (const name of Object.keys(initial) as (keyof DestinationForm)[]) {
    const value = data.get(name);
    if (value !== null) typed[name] = String(value).trim();
  }
  return typed;
}
