import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { faultAt, ownFaultAt } from '../../text/field-faults.ts';

interface FieldProps {
  label: string;
  /** Whether only screen readers get the label, because it is visible elsewhere. */
  isLabelHidden?: boolean;
  name: string;
  /** The setting's path in the API's errors. */
  path?: string;
  /**
   * Whether the field shows only its own faults, because parts of the setting have their own
   * fields.
   */
  own?: boolean;
  error: ApiError | null;
  note?: ComponentChildren;
  children(control: {
    id: string;
    name: string;
    'aria-invalid': boolean;
    'aria-describedby': string | undefined;
  }): ComponentChildren;
}

/** A control with its label. If the server refuses the value, the reason appears below. */
export function Field(props: FieldProps) {
  const { label, isLabelHidden, name, path = name, own, error, note, children } = props;
  const fault = own ? ownFaultAt(error, path) : faultAt(error, path);
  const id = `field-${name}`;
  const noteId = note === undefined ? undefined : `${id}-note`;
  const faultId = fault === null ? undefined : `${id}-fault`;
  const box = useRef<HTMLDivElement>(null);
  // After a refusal, the first wrong field takes the focus.
  useEffect(() => {
    if (fault === null) return;
    const scope = box.current?.closest('form') ?? box.current;
    const first = scope?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (first?.id === id) first.focus();
  }, [error, fault, id]);
  return (
    <div class="field" ref={box}>
      <label htmlFor={id} class={isLabelHidden ? 'off-screen' : undefined}>
        {label}
      </label>
      {children({
        id,
        name,
        'aria-invalid': fault !== null,
        'aria-describedby': [faultId, noteId].filter(Boolean).join(' ') || undefined,
      })}
      {note !== undefined && (
        <p id={noteId} class="muted">
          {note}
        </p>
      )}
      {fault !== null && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
