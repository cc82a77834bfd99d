import { endpoints } from '../../model/page.ts';
import { endpointPath, eventPath } from '../../model/router.ts';
import { Badge } from '../../parts/badge.tsx';
import type { EventDetail } from '../../text/event-answer.ts';
import { unjudgedText } from '../../text/unjudged-text.ts';
import {
  type ExplainedVerification,
  failureText,
  proofText,
  STATE_MEANINGS,
  VERIFICATION_MARKS,
  VERIFICATION_WORDS,
  type VerificationAnswer,
} from '../../text/verification-text.ts';
import { useProviders } from './use-providers.ts';

/** Shows an event's sender, whether filters judged it, and which earlier event it repeats. */
export function EventProof({ event }: { event: EventDetail & ExplainedVerification }) {
  const { duplicate_of, duplicate_conflict, unjudged } = event;
  return (
    <>
      <Proof request={event} endpointId={event.endpoint_id} />
      {unjudged && (
        <p>
          <span class="badge is-failed">unjudged</span> {unjudgedText(unjudged)}
        </p>
      )}
      {duplicate_of !== null && (
        <p>
          repeats{' '}
          <a class="mono" href={eventPath(event.endpoint_id, duplicate_of)}>
            {duplicate_of}
          </a>
          , so it isn’t delivered
          {duplicate_conflict && (
            <>
              {' '}
              <span class="badge is-failed" title="The body differs from that of the first event">
                body differs
              </span>
            </>
          )}
        </p>
      )}
    </>
  );
}

interface ProofProps {
  request: ExplainedVerification & { verification: VerificationAnswer };
  /** The endpoint to link to if it has no source. Absent if there is no such link. */
  endpointId?: string;
}

/** Shows the verdict on a request in words, and what to do. */
export function Proof({ request, endpointId }: ProofProps) {
  const { verification } = request;
  const { value: catalogue } = useProviders();
  const { state, provider } = verification;
  const why = failureText(verification, request);
  const isUnchecked = state === 'unverified' && provider === null && why === null;
  if (isUnchecked && endpointId !== undefined && hasNoSource(endpointId)) {
    return (
      <p class="proof-line muted">
        No source set: <a href={endpointPath(endpointId, 'source')}>prove who sends</a>
      </p>
    );
  }
  return (
    <p class="proof-line">
      <Badge mark={VERIFICATION_MARKS[state]} look={`proof is-${state}`}>
        {VERIFICATION_WORDS[state]}
      </Badge>{' '}
      {proofText(verification, catalogue)}
      {state === 'unverified' && !why && (
        <span class="muted">
          {provider === null ? STATE_MEANINGS.unverified : 'a check of the URL, which is answered'}
        </span>
      )}
      {why && (
        <>
          {provider !== null && ': '}
          {why.says} <span class="muted">{why.todo}</span>
        </>
      )}
    </p>
  );
}

const hasNoSource = (endpointId: string): boolean =>
  endpoints.value?.some(({ id, source }) => id === endpointId && source === null) === true;
