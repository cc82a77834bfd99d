import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { session, tell, tellWithUndo } from '../../model/page.ts';
import { useAct } from '../../parts/form/use-act.ts';

/**
 * The states that a person can set. An undo sets the previous state, so that must be one of these.
 */
const SETTABLE = ['acknowledged', 'ignored', 'resolved'] as const;
type Settable = (typeof SETTABLE)[number];
const isSettable = (state: IssueAnswer['state']): state is Settable =>
  SETTABLE.some((settable) => settable === state);

const ACTIONS: Record<Settable, { name: string; done: string }> = {
  acknowledged: { name: 'Acknowledge', done: 'Acknowledged: channels get no more messages' },
  ignored: { name: 'Ignore', done: 'Ignored: it stays silent' },
  resolved: { name: 'Resolve', done: 'Resolved: it opens when it happens again' },
};
const ACCEPT = {
  name: 'Accept the new shape',
  done: 'Accepted: its type has learned the new shape',
};

/** Shows the actions on an issue. To resolve a drift is to accept the new shape. */
export function IssueActions({ issue, onChanged }: { issue: IssueAnswer; onChanged(): void }) {
  const [isBusy, run] = useAct();
  const isDrift = issue.kind === 'drift';
  const set = async (state: Settable) => {
    await session.call('PATCH /api/issues/{issueId}', {
      params: { issueId: issue.id },
      body: { state },
    });
    onChanged();
  };
  const change = (state: Settable, done: string) =>
    run(async () => {
      const { state: before } = issue;
      await set(state);
      // The learned type can't forget an accepted shape.
      const isFinal = isDrift && state === 'resolved';
      if (isFinal || !isSettable(before)) tell(done);
      else tellWithUndo(done, () => set(before));
    });
  const primary: Settable = isDrift || issue.state === 'acknowledged' ? 'resolved' : 'acknowledged';
  return (
    <div class="actions">
      {SETTABLE.map((state) => {
        const { name, done } = isDrift && state === 'resolved' ? ACCEPT : ACTIONS[state];
        return (
          <button
            key={state}
            type="button"
            class={state === primary ? 'primary' : undefined}
            disabled={isBusy || issue.state === state}
            onClick={() => change(state, done)}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}
