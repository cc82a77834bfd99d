import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { changeTexts, faultCount, trialFaults } from '../../text/trial-text.ts';
import type { Trial } from '../rule/use-trial.ts';

interface SaveQuestionProps {
  /** The trial of the changed filter; null if the filter doesn't change. */
  trial: Trial | null;
  /** Whether the trial tested the current filter. */
  isTried: boolean;
  /** Why the new secret is weak; null if it is strong or absent. */
  weakness: string | null;
  onSave(): Promise<unknown>;
  onClose(): void;
}

/** Shows what a save would change. The user can save even if the trial is slow or fails. */
export function SaveQuestion({ trial, isTried, weakness, onSave, onClose }: SaveQuestionProps) {
  const result = isTried ? (trial?.result ?? null) : null;
  const texts = result ? changeTexts(result) : [];
  return (
    <FormDialog title="Save the destination?" action="Save" onSubmit={onSave} onClose={onClose}>
      {trial && (
        <div role="status" class="save-sides">
          {!isTried && <p class="muted">Trying the filter on past events …</p>}
          {isTried && trial.error && <p>The filter couldn’t be tried on past events.</p>}
          {texts.map((text) => (
            <p key={text}>{text}.</p>
          ))}
          {isTried && !trial.error && texts.length === 0 && <p>No event changes sides.</p>}
          {result && result.failed > 0 && (
            <>
              <p>{faultCount(result.failed)}</p>
              <ul>
                {trialFaults(result.samples).map(({ message }) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </>
          )}
          <p class="muted">The filter counts for events that come from now on.</p>
        </div>
      )}
      {weakness !== null && <p>The new secret {weakness}.</p>}
    </FormDialog>
  );
}
