import '../../styles/setting-rows.css';
import '../../styles/rejected.css';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { RejectedDetailView } from './rejected-detail.tsx';
import { RejectedList } from './rejected-list.tsx';

interface RejectedProps {
  endpoint: EndpointAnswer;
  rejectedId: string | null;
}

/** Shows the requests that an enforced source refused. */
export function Rejected({ endpoint, rejectedId }: RejectedProps) {
  return rejectedId === null ? (
    <RejectedList endpoint={endpoint} />
  ) : (
    <RejectedDetailView key={rejectedId} endpoint={endpoint} rejectedId={rejectedId} />
  );
}
