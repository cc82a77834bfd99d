import type { ComponentChildren } from 'preact';
import type { ApiError } from '../../model/api-error.ts';
import { isAtFields } from '../../text/field-faults.ts';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../problem.tsx';
import { useAttempt } from './use-attempt.ts';
import { useFaultFocus } from './use-fault-focus.ts';

interface FormDialogProps {
  title: string;
  /** The action button's label. */
  action: ComponentChildren;
  /** The label of the button that closes the dialog. */
  cancel?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Paths of the fields that show their own faults. */
  fields?: readonly string[];
  /**
   * Runs the action. If the action throws, the dialog shows the error. Otherwise the dialog closes.
   */
  onSubmit(form: FormData): Promise<unknown>;
  onClose(): void;
  /**
   * Returns what the dialog shows after a refusal. By default, nothing is shown if each fault
   * appears at a field.
   */
  problem?(error: ApiError): ComponentChildren;
  /** A description of the action, or the fields. The fields get the last refusal. */
  children?: ComponentChildren | FieldsOf;
}

type FieldsOf = (
  error: ApiError | null,
  setError: (error: ApiError | null) => void,
) => ComponentChildren;

/** A dialog with a question or a form, and one action. */
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
