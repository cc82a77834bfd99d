import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../model/api-error.ts';
import { Dialog } from './dialog.tsx';
import { useAction } from './form/use-action.ts';
import { Problem } from './problem.tsx';

interface AskProps {
  title: string;
  /** The word on the button that acts. */
  action: string;
  /** Whether the action destroys something. */
  danger?: boolean;
  /** Whether the action can't be chosen yet. */
  disabled?: boolean;
  /** Acts. When it throws, the dialog stays and says why; otherwise it closes. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** What the action does, by name and number. */
  children?: ComponentChildren;
}

/** Asks once before an action. */
export function Ask(props: AskProps) {
  const { title, action, danger = false, disabled = false, onConfirm, onClose, children } = props;
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    return once(async () => {
      setError(null);
      try {
        await onConfirm();
      } catch (failed) {
        setError(asApiError(failed));
        return;
      }
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        {children}
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={danger ? 'destructive' : 'primary'}
            disabled={isBusy || disabled}
            aria-busy={isBusy}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
