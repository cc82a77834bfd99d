import {
  STATE_MEANINGS,
  VERIFICATION_MARKS,
  type Verification,
} from '../../text/proof/verification-text.ts';

type State = Verification['state'];

/** In a row. On a narrow screen only the mark is seen. */
export function VerificationNote({ state }: { state: State }) {
  return (
    <span class={`proof is-${state}`} title={`${state}: ${STATE_MEANINGS[state]}`}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span>{' '}
      <span class="proof-word">{state}</span>
    </span>
  );
}

export function VerificationBadge({ state }: { state: State }) {
  return (
    <span class={`badge proof is-${state}`}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span> {state}
    </span>
  );
}
