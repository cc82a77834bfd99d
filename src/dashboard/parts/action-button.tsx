import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../model/api-error.ts';
import { Foreign } from './foreign.tsx';
import { useAction } from './form/use-action.ts';

interface ActionButtonProps {
  /** The action. If it throws, the button shows the error. */
  run(): Promise<unknown>;
  /** Called when the action ends, even after an error. */
  onEnd?(): void;
  label?: string | undefined;
  /** Whether another action on the same object is running. */
  disabled?: boolean;
  children: ComponentChildren;
}

/** A button that runs one action at a time and shows its error. */
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
