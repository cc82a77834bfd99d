import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../model/api-error.ts';
import { Foreign } from './foreign.tsx';
import { useAction } from './form/use-action.ts';

interface ActionButtonProps {
  /** Acts. What it throws is shown beside the button. */
  run(): Promise<unknown>;
  /** It ended, either way. */
  onEnd?(): void;
  label?: string | undefined;
  /** Another action at the same thing is under way. */
  disabled?: boolean;
  children: ComponentChildren;
}

/** A button that acts once at a time, and says beside it why it failed. */
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
