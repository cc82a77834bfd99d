import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../model/api-error.ts';
import { Foreign } from './foreign.tsx';
import { useAction } from './form/use-action.ts';

interface ActionButtonProps {
  /** The action. The button shows its error. */
  run(): Promise<unknown>;
  /** Called when the action ends, also after an error. */
  onEnd?(): void;
  label?: string | undefined;
  /** Another action on the same object is under way. */
  disabled?: boolean;
  children: ComponentChildren;
}

/** A button that runs its action once at a time and shows its error. */
export function ActionButton({ run, onEnd, label, disabled, children }: ActionButtonProps) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const act = () =>
    once(async () => {
      setError(null);
      try {
        await run();
      } catch (failed) {
        setError(asApiError(failed));
      }
      onEnd?.();
    });
  return (
    <>
      <button
        type="button"
        aria-label={label}
        disabled={isBusy || disabled}
        aria-busy={isBusy}
        onClick={act}
      >
        {children}
      </button>
      {error && (
        <span class="fault" role="alert">
          <Foreign text={error.hint ? `${error.message}: ${error.hint}` : error.message} />
        </span>
      )}
    </>
  );
}
