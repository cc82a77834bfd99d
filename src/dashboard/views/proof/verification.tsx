import {
  VERIFICATION_MARKS,
  VERIFICATION_WORDS,
  type Verification,
} from '../../text/verification-text.ts';

type State = Verification['state'];

export function VerificationBadge({ state }: { state: State }) {
  return (
    <span class={`badge proof is-${state}`}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span> {VERIFICATION_WORDS[state]}
    </span>
  );
}
