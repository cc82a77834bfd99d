import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import type { SourceCheckAnswer } from '../../../api/sources/source-check-answer.ts';
import { type ApiError, asApiError, withoutIssues } from '../../model/api-error.ts';
import { asTyped } from '../../model/as-typed.ts';
import { loadEndpoints, session, tell } from '../../model/page.ts';
import { TextField } from '../../parts/form/text-field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { useFaultFocus } from '../../parts/form/use-fault-focus.ts';
import { Problem } from '../../parts/problem.tsx';
import { CheckResult, checkSource } from './check-result.tsx';
import { Enforcement } from './enforcement.tsx';
import { ProviderField } from './provider-field.tsx';
import { RemoveSource } from './remove-source.tsx';
import { SchemeFields } from './scheme-fields.tsx';
import { SecretFields } from './secret-fields.tsx';
import {
  providerNamed,
  type SecretRow,
  type SourceForm,
  secretRowsOf,
  sourceChange,
  sourceFormOf,
} from './source-form.ts';
import { useProviders } from './use-providers.ts';

/** Edits who sends to an endpoint, how requests are verified, and whether a source is enforced. */
export function SourceSettings({ endpoint }: { endpoint: EndpointAnswer }) {
  const { value: catalogue, error, reload } = useProviders();
  const { source } = endpoint;
  return (
    <>
      <section class="source-settings">
        <h2>Proof of sender</h2>
        <p class="muted">
          {source
            ? 'Each request is checked when it arrives. The verdict stands with its event.'
            : 'Name the sender and paste its signing secret: each request is checked when it arrives.'}
        </p>
        {error && <Problem error={error} retry={reload} />}
        {catalogue && (
          <SourceFields key={JSON.stringify(source)} endpoint={endpoint} catalogue={catalogue} />
        )}
      </section>
      {source && <Enforcement endpoint={endpoint} source={source} />}
    </>
  );
}

interface SourceFieldsProps {
  endpoint: EndpointAnswer;
  catalogue: readonly ProviderAnswer[];
}

function SourceFields({ endpoint, catalogue }: SourceFieldsProps) {
  const { id, source, guessed } = endpoint;
  const [form, setForm] = useState(() => sourceFormOf(source, catalogue));
  const [secrets, setSecrets] = useState(() => secretRowsOf(source));
  const [error, setError] = useState<ApiError | null>(null);
  const [check, setCheck] = useState<SourceCheckAnswer | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const [isBusy, once] = useAction();
  const [isChecking, onceChecking] = useAction();
  const element = useFaultFocus(error);
  const provider = providerNamed(form.provider, catalogue);
  const isOther = source !== null && provider?.name !== source.provider;
  const has = (field: string) => provider?.fields.includes(field) === true;
  const shown = ['provider', 'secrets', 'keep_secrets', ...(provider?.fields ?? [])];
  /** Returns whether a field shows each fault. */
  const isAtField = ({ issues, hint }: ApiError) =>
    hint === null &&
    issues.length > 0 &&
    issues.every(({ path }) => shown.includes(path.split('.')[1] ?? ''));
  /** Changes the form. The last check then no longer applies. */
  const change = (to: Partial<SourceForm>) => {
    setForm((before) => ({ ...before, ...to }));
    setCheck(null);
  };
  const changeSecrets = (rows: SecretRow[]) => {
    setSecrets(rows);
    setCheck(null);
    setError(
      (before) => before && withoutIssues(before, ['source.secrets', 'source.keep_secrets']),
    );
  };
  const choose = (typed: string) => {
    change({ provider: typed });
    // Another sender has other secrets. A return to the saved sender restores its secrets.
    const isBack = providerNamed(typed, catalogue)?.name === source?.provider;
    if (isBack === isOther) setSecrets(secretRowsOf(isBack ? source : null));
  };
  const changed = () => sourceChange(source, form, secrets, provider);
  const run = (action: () => Promise<void>) => async () => {
    try {
      await action();
      setError(null);
    } catch (failed) {
      setError(asApiError(failed));
    }
  };
  const save = (event: Event) => {
    event.preventDefault();
    return once(
      run(async () => {
        const change = changed();
        if (Object.keys(change).length > 0) {
          await session.call('PATCH /api/endpoints/{id}', {
            params: { id },
            body: asTyped({ source: change }),
          });
          await loadEndpoints();
        }
        tell('The source is saved');
      }),
    );
  };
  const checkNow = () =>
    onceChecking(
      run(async () => {
        setCheck(null);
        setCheck(await checkSource(id, changed()));
      }),
    );
  const guess = source === null ? catalogue.find(({ name }) => name === guessed) : undefined;
  const isOffered = guess?.verifies && provider?.name !== guess.name;
  return (
    <form class="stacked" onSubmit={save} ref={element}>
      {isOffered && (
        <div>
          <button type="button" onClick={() => choose(guess.title)}>
            Looks like {guess.title}: choose it
          </button>
        </div>
      )}
      <ProviderField {...{ catalogue, provider, error }} typed={form.provider} onChange={choose} />
      <SecretFields rows={secrets} provider={provider} error={error} onChange={changeSecrets} />
      {has('in') && (
        <TextField
          label="Where the token is"
          name="in"
          path="source.in"
          error={error}
          note="header.NAME or query.NAME. Senders may show a query in logs: prefer a header."
          class="mono"
          value={form.in}
          onText={(place) => change({ in: place })}
        />
      )}
      {has('scheme') && (
        <SchemeFields
          scheme={form.scheme}
          error={error}
          onChange={(to) => change({ scheme: { ...form.scheme, ...to } })}
        />
      )}
      {has('url') && (
        <TextField
          label="Registered URL"
          name="source-url"
          path="source.url"
          error={error}
          note="The sender signs the URL that it calls. If it calls a proxy or a tunnel, give the URL as it stands at the sender."
          type="url"
          class="mono"
          placeholder={endpoint.capture_url}
          value={form.url}
          onText={(url) => change({ url })}
        />
      )}
      {isOther && source.enforce && (
        <p class="muted">The source is enforced: what fails is refused as soon as you save.</p>
      )}
      {error && !isAtField(error) && <Problem error={error} />}
      <div class="check" role="status">
        {isChecking && <p class="muted">Checking …</p>}
        {check && <CheckResult check={check} />}
      </div>
      <div class="actions">
        <button
          type="button"
          disabled={isChecking || form.provider.trim() === ''}
          aria-busy={isChecking}
          onClick={checkNow}
        >
          Check past events
        </button>
        <button
          type="submit"
          class="primary"
          disabled={isBusy || form.provider.trim() === ''}
          aria-busy={isBusy}
        >
          Save the source
        </button>
        {source && (
          <button type="button" class="destructive" onClick={() => setRemoving(true)}>
            Remove the source …
          </button>
        )}
      </div>
      {isRemoving && source && (
        <RemoveSource endpointId={id} source={source} onClose={() => setRemoving(false)} />
      )}
    </form>
  );
}
