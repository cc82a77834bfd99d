import type { ComponentChildren } from 'preact';
import type { ApiError } from '../../model/api-error.ts';
import { isAtFields } from '../../text/field-faults.ts';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../problem.tsx';
import { useAttempt } from './use-attempt.ts';
import { useFaultFocus } from './use-fault-focus.ts';

interface FormDialogProps {
  title: string;
  /** The word on the button that acts. */
  action: ComponentChildren;
  /** The word on the button that doesn't. */
  cancel?: string;
  /** Whether the action destroys something. */
  danger?: boolean;
  /** Whether the action can't be chosen yet. */
  disabled?: boolean;
  /** Paths of the fields that show their faults themselves. */
  fields?: readonly string[];
  /** Acts. When it throws, the dialog stays and says why; otherwise it closes. */
  onSubmit(form: FormData): Promise<unknown>;
  onClose(): void;
  /** What the last refusal looks like. By default, nothing where each fault is at a field. */
  problem?(error: ApiError): ComponentChildren;
  /** What the action does, by name and number; or the fields, with the last refusal. */
  children?: ComponentChildren | FieldsOf;
}

type FieldsOf = (
  error: ApiError | null,
  setError: (error: ApiError | null) => void,
) => ComponentChildren;

/** A question, or a form, with one action. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, cancel = 'Cancel', danger, disabled, fields = [], children } = props;
  const { onSubmit, onClose, problem } = props;
  const { isBusy, error, setError, attempt } = useAttempt();
  const form = useFaultFocus(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(form.current as HTMLFormElement);
    return attempt(async () => {
      await onSubmit(data);
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stacked" onSubmit={submit} ref={form} noValidate>
        {typeof children === 'function' ? children(error, setError) : children}
        {error && (problem?.(error) ?? (!isAtFields(error, fields) && <Problem error={error} />))}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {cancel}
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
