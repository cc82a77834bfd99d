import '../../styles/setting-rows.css';
import '../../styles/issues.css';
import { IssueDetail } from './issue-detail.tsx';
import { IssueList } from './issue-list.tsx';

export function Issues({ issueId }: { issueId: string | null }) {
  return (
    <div class="page-body issues">
      {issueId === null ? <IssueList /> : <IssueDetail key={issueId} issueId={issueId} />}
    </div>
  );
}
