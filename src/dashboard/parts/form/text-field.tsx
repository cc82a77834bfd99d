import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';
import { Options } from './options.tsx';

type FieldProps = Omit<ComponentProps<typeof Field>, 'children'>;

type TextProps<E extends 'input' | 'textarea'> = FieldProps &
  ComponentProps<E> & { onText?: (text: string) => void };

/** Attributes of a field that isn't prose. The browser neither completes nor corrects its text. */
export const PLAIN = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const;

export function TextField({ onText, ...props }: TextProps<'input'>) {
  const { label, isLabelHidden, path, own, error, note, ...input } = props;
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...PLAIN}
          {...input}
          {...control}
          onInput={(event) => onText?.(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function AreaField({ onText, ...props }: TextProps<'textarea'>) {
  const { label, isLabelHidden, path, own, error, note, ...area } = props;
  return (
    <Field {...props}>
      {(control) => (
        <textarea
          {...PLAIN}
          {...area}
          {...control}
          onInput={(event) => onText?.(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps, ComponentProps<typeof Options> {
  onText?: (value: string) => void;
}

export function SelectField({ of, initial, onText, ...props }: SelectFieldProps) {
  return (
    <Field {...props}>
      {(control) => (
        <select {...control} onInput={(event) => onText?.(event.currentTarget.value)}>
          <Options of={of} initial={initial} />
        </select>
      )}
    </Field>
  );
}
