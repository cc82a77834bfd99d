import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Field } from '../../parts/form/field.tsx';

interface UrlFieldProps {
  label: string;
  error: ApiError | null;
  /** Another destination with the same URL. */
  twin: DestinationAnswer | undefined;
  value?: string;
  defaultValue?: string;
  onText?: (url: string) => void;
}

/** The field of a destination's URL. It warns at once if another destination has the same URL. */
export function UrlField({ label, error, twin, onText, ...value }: UrlFieldProps) {
  return (
    <Field label={label} name="url" error={error}>
      {(control) => (
        <>
          <input
            {...control}
            {...value}
            type="url"
            required
            placeholder="https://example.com/webhooks"
            onInput={(event) => onText?.(event.currentTarget.value)}
          />
          <span role="status">
            {twin && (
              <p class="weak">
                <Foreign text={twin.name ?? 'Another destination'} /> has this URL already, so it
                would get each event twice.
              </p>
            )}
          </span>
        </>
      )}
    </Field>
  );
}
