import { Foreign } from '../../parts/foreign.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { Pending } from '../../parts/pending.tsx';
import { Steps } from '../../parts/steps.tsx';
import { IssueActions } from './issue-actions.tsx';
import { IssueCause } from './issue-cause.tsx';
import { IssueEvidence } from './issue-evidence.tsx';
import { IssueFacts } from './issue-facts.tsx';
import { IssueState } from './issue-state.tsx';
import { IssueWaiting } from './issue-waiting.tsx';

/** The delay between news and a reload, ms. */
const REST_MS = 2000;

/**
 * Shows an issue with its cause, the next steps, the waiting deliveries, and examples of events.
 */
export function IssueDetail({ issueId }: { issueId: string }) {
  const loaded = useCall('GET /api/issues/{issueId}', { params: { issueId } });
  const { value: issue, reload } = loaded;
  useReloadOnNews({
    key: issueId,
    concerns: (news) => news.kind !== 'event',
    reload,
    restMs: REST_MS,
  });
  return (
    <>
      <p class="issue-back">
        <a href="/issues">All issues</a>
      </p>
      <Pending {...loaded} />
      {issue && (
        <>
          <div class="issue-head">
            <h1>
              <Foreign text={issue.title} />
            </h1>
            <IssueState state={issue.state} />
          </div>
          <IssueFacts issue={issue} />
          <IssueActions issue={issue} onChanged={reload} />
          <IssueCause issue={issue} />
          <section>
            <h2>What to do</h2>
            <Steps suggestion={issue.suggestion} />
          </section>
          <IssueWaiting issue={issue} />
          <IssueEvidence issue={issue} />
        </>
      )}
    </>
  );
}
