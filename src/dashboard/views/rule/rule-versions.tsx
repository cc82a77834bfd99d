import { diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'preact/hooks';
import type { RuleVersionAnswer } from '../../../api/rules/rule-answer.ts';
import { session, tellWithUndo } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Pending } from '../../parts/pending.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { withRuleTexts } from '../../text/shown-rule.ts';
import { ruleText } from '../../text/trial-text.ts';

/** The longest comparison, ms. */
const TIMEOUT_MS = 200;
/** How many versions are shown at first. */
const FIRST = 5;
/** The largest number of versions that a destination keeps. */
const MOST = 100;

interface RuleVersionsProps {
  endpointId: string;
  destinationId: string;
  /** The current filter. */
  present: string;
  /** Whether unsaved changes would be lost. */
  isDirty: boolean;
  /** Called after another version became the current one. */
  onSet(): Promise<void>;
}

/** Shows the versions of a destination's filter, with their differences from the current one. */
export function RuleVersions(props: RuleVersionsProps) {
  const { endpointId, destinationId, present, isDirty, onSet } = props;
  const params = { id: endpointId, destinationId };
  const loaded = useLoaded(`${destinationId} ${present}`, async (signal) => {
    const answer = await session.request(
      'GET /api/endpoints/{id}/destinations/{destinationId}/rules',
      { params, query: { limit: MOST }, signal },
    );
    return withRuleTexts<RuleVersionAnswer>(await answer.text());
  });
  const { value, error, reload } = loaded;
  const { isBusy, error: failed, attempt } = useAttempt();
  const [isWhole, setWhole] = useState(false);
  const set = async (version: number) => {
    await session.call('POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}', {
      params: { ...params, version: String(version) },
    });
    reload();
    await onSet();
  };
  const setAgain = (version: number, before: number) =>
    attempt(async () => {
      await set(version);
      tellWithUndo(`The filter is version ${version} again`, () => set(before));
    });
  if (error || !value) return <Pending {...loaded} />;
  const [newest] = value;
  if (!newest) return <p class="muted">The filter was never changed.</p>;
  const shown = isWhole ? value : value.slice(0, FIRST);
  return (
    <>
      {failed && <Problem error={failed} />}
      <ol class="rule-versions">
        {shown.map(({ version, filter, changed_at, changed_by }) => (
          <li key={version}>
            <RuleDiff
              before={ruleText(filter)}
              after={ruleText(newest.filter)}
              isPresent={version === newest.version}
            />
            <span class="muted">
              version {version} · <Time at={changed_at} />
              {changed_by !== null && (
                <>
                  {' · '}
                  <Foreign text={changed_by} />
                </>
              )}
            </span>
            {version === newest.version ? (
              <span class="badge">present</span>
            ) : (
              <button
                type="button"
                class="quiet"
                aria-label={`Set version ${version} again`}
                title={isDirty ? 'Save or discard your changes first' : undefined}
                disabled={isBusy || isDirty}
                onClick={() => setAgain(version, newest.version)}
              >
                Set again
              </button>
            )}
          </li>
        ))}
      </ol>
      {value.length > shown.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {value.length} versions
        </button>
      )}
    </>
  );
}

interface RuleDiffProps {
  before: string;
  after: string;
  isPresent: boolean;
}

/** Shows how a version differs from the current one. */
function RuleDiff({ before, after, isPresent }: RuleDiffProps) {
  const changes = useMemo(
    () => (isPresent ? null : diffWordsWithSpace(after, before, { timeout: TIMEOUT_MS })),
    [before, after, isPresent],
  );
  if (before === '') return <span class="muted">no filter: every event</span>;
  if (!changes || after === '') {
    return <Foreign class="mono rule-diff" text={before} kept={'\n'} />;
  }
  return (
    <span class="mono rule-diff">
      {changes.map(({ value, added, removed }, i) => {
        const text = <Foreign text={value} kept={'\n'} />;
        if (added) return <ins key={i}>{text}</ins>;
        return removed ? <del key={i}>{text}</del> : <span key={i}>{text}</span>;
      })}
    </span>
  );
}
