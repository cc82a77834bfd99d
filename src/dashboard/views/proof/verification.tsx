import {
  VERIFICATION_MARKS,
  VERIFICATION_WORDS,
  type VerificationAnswer,
} from '../../text/verification-text.ts';

type State = VerificationAnswer['state'];

export function VerificationBadge({ state }: { state: State }) {
  return (
    <span class={`badge proof is-${state}`}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span> {VERIFICATION_WORDS[state]}
    </span>
  );
}
