import type { AuditEntryAnswer } from '../../../api/accounts/audit-entry-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { changedMembers, MOST_MEMBERS } from './audit-changes.ts';
import { actorName, didText } from './audit-words.ts';

/** Shows one change with its target, its actor and its time. */
export function AuditRow({ entry }: { entry: AuditEntryAnswer }) {
  const { action, target, actor, at } = entry;
  const members = changedMembers(entry.changes);
  const more = members.length - MOST_MEMBERS;
  return (
    <li class="audit-row">
      <div class="row-main">
        <p class="row-name">
          <span title={action}>{didText(action)}</span>
          {target.type !== 'account' && (
            <Foreign class="audit-target" text={target.name ?? target.id} />
          )}
        </p>
        <p class="muted">
          <Foreign text={actorName(actor)} />
          {actor.address && <> · {actor.address}</>} · <Time at={at} form="said" />
        </p>
        {members.length > 0 && (
          <dl class="changes">
            {members.slice(0, MOST_MEMBERS).map(({ path, before, after }) => (
              <div key={path}>
                <dt>
                  <Foreign text={path} />
                </dt>
                <dd>
                  {before !== null && (
                    <>
                      <del>
                        <Foreign text={before} />
                      </del>
                      <span aria-hidden="true"> → </span>
                    </>
                  )}
                  {after === null ? (
                    <span class="muted">none</span>
                  ) : (
                    <ins>
                      <Foreign text={after} />
                    </ins>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {more > 0 && <p class="muted">and {counted(more, 'more member')}</p>}
      </div>
    </li>
  );
}
