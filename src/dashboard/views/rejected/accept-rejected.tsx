import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { session, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';

interface AcceptRejectedProps {
  endpoint: EndpointAnswer;
  rejectedId: string;
  onClose(): void;
}

/**
 * Asks for confirmation before a rejected request becomes an event. Then opens the event, or shows
 * why the request still fails.
 */
export function AcceptRejected({ endpoint, rejectedId, onClose }: AcceptRejectedProps) {
  const accept = async () => {
    const event = await session.call('POST /api/endpoints/{id}/rejected/{rejectedId}/accept', {
      params: { id: endpoint.id, rejectedId },
    });
    navigate(eventPath(endpoint.id, event.id));
    tell(
      event.duplicate_of === null
        ? 'The request is accepted, and delivered like any'
        : 'The request is accepted. It repeats an earlier event, so it isn’t delivered',
    );
  };
  return (
    <FormDialog title="Accept the request" action="Accept" onSubmit={accept} onClose={onClose}>
      <p>
        {endpoint.source
          ? 'The request is checked again, with the present secrets. If one fits, it becomes an event and is delivered like any.'
          : 'The endpoint has no source now, so nothing is checked: the request becomes an event as it is, and is delivered like any.'}
      </p>
    </FormDialog>
  );
}
