import {
  STATE_MEANINGS,
  VERIFICATION_MARKS,
  VERIFICATION_WORDS,
  type Verification,
} from '../../text/proof/verification-text.ts';

type State = Verification['state'];

/** In a row. On a narrow screen only the mark is seen. */
export function VerificationNote({ state }: { state: State }) {
  return (
    <span class={`proof is-${state}`} title={STATE_MEANINGS[state]}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span>{' '}
      <span class="proof-word">{VERIFICATION_WORDS[state]}</span>
    </span>
  );
}

export function VerificationBadge({ state }: { state: State }) {
  return (
    <span class={`badge proof is-${state}`}>
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span> {VERIFICATION_WORDS[state]}
    </span>
  );
}
