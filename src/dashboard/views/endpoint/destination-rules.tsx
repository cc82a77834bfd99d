import { useState } from 'preact/hooks';
import type { Page } from '../../../api/answers/page.ts';
import type { RuleVersion } from '../../../api/answers/rule.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import type { RuleTrial } from '../../model/types.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { countText, fullTimeText } from '../../text/format.ts';
import { firstFault, ruleText, trialText } from '../../text/rule-trial.ts';

/** Events that a rule is tried on. */
const TRIED_EVENTS = 1000;

interface TryFilterProps {
  endpointId: string;
  destinationId: string;
  /** The filter as it stands in the form; empty for none. */
  filter(): string;
}

/** Tries a filter on past events before it is saved. */
export function TryFilter({ endpointId, destinationId, filter }: TryFilterProps) {
  const [state, setState] = useState<'ready' | 'no filter' | 'trying' | RuleTrial | ApiError>(
    'ready',
  );
  const attempt = async () => {
    const text = filter();
    if (text === '') {
      setState('no filter');
      return;
    }
    setState('trying');
    const body = { filter: text, destination_id: destinationId, last: TRIED_EVENTS };
    try {
      const path = `/api/endpoints/${endpointId}/rules/try`;
      setState(await session.call<RuleTrial>('POST', path, { body }));
    } catch (error) {
      setState(asApiError(error));
    }
  };
  return (
    <div class="rule-trial">
      <button type="button" onClick={attempt} disabled={state === 'trying'}>
        Try on the last {countText(TRIED_EVENTS)} events
      </button>
      <div role="status">
        {state === 'no filter' && <p>Without a filter, every event matches.</p>}
        {state === 'trying' && <p class="muted">Trying …</p>}
        {typeof state === 'object' && 'tried' in state && <Trial trial={state} />}
      </div>
      {state instanceof Error && <Problem error={state} />}
    </div>
  );
}

function Trial({ trial }: { trial: RuleTrial }) {
  const fault = firstFault(trial);
  return (
    <>
      <p>{trialText(trial)}</p>
      {fault !== null && <p class="fault wrap">{fault}</p>}
    </>
  );
}

interface RuleVersionsProps {
  endpointId: string;
  destinationId: string;
  /** An earlier version was set again. */
  onSet(): void;
}

/** The versions of a destination's filter, loaded when somebody looks. */
export function RuleVersions(props: RuleVersionsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Versions</summary>
      {isOpen && <Versions {...props} />}
    </details>
  );
}

function Versions({ endpointId, destinationId, onSet }: RuleVersionsProps) {
  const path = `/api/endpoints/${endpointId}/destinations/${destinationId}/rules`;
  const { value, error, reload } = useLoaded(path, (signal) =>
    session
      .call<Page<RuleVersion>>('GET', `${path}?limit=100`, { signal })
      .then(({ data }) => data),
  );
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<ApiError | null>(null);
  const set = async (version: number) => {
    setBusy(true);
    try {
      await session.call('POST', `${path}/${version}`);
      onSet();
    } catch (reason) {
      setFailed(asApiError(reason));
      setBusy(false);
    }
  };
  if (error) return <Problem error={error} retry={reload} />;
  if (!value) return <p class="muted">Loading …</p>;
  if (value.length === 0) return <p class="muted">The filter was never changed.</p>;
  return (
    <>
      {failed && <Problem error={failed} />}
      <ol class="rule-versions">
        {value.map(({ version, filter, changed_at, changed_by }, i) => (
          <li key={version}>
            <span class="mono wrap">{ruleText(filter) || 'every event'}</span>
            <span class="muted">
              {version} · {fullTimeText(changed_at)}
              {changed_by !== null && ` · ${changed_by}`}
            </span>
            {i === 0 ? (
              <span class="muted">now</span>
            ) : (
              <button
                type="button"
                class="quiet"
                aria-label={`Set version ${version} again`}
                disabled={isBusy}
                onClick={() => set(version)}
              >
                Set again
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
