import { useEffect, useRef, useState } from 'preact/hooks';
import { formatSize } from '../../../core/text/size.ts';
import { ApiError, asApiError } from '../../model/api-error.ts';
import { asTyped } from '../../model/as-typed.ts';
import { session, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { HeaderRows } from '../../parts/form/header-rows.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import type { EventDetail } from '../../text/event-answer.ts';
import { isAtFields } from '../../text/field-faults.ts';
import { editOf, eventFormOf, lengthFault } from './edited-event.ts';

const FIELDS = [
  ['method', 'Method', ''],
  ['path', 'Path', 'none'],
  ['query', 'Query', 'none'],
] as const;

interface EditEventProps {
  event: EventDetail;
  onClose(): void;
}

/** Captures an edited copy of an event, which is delivered like any. */
export function EditEvent({ event, onClose }: EditEventProps) {
  const [form, setForm] = useState(() => eventFormOf(event));
  const change = (to: Partial<typeof form>) => setForm((before) => ({ ...before, ...to }));
  const element = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const send = (submitted: Event) => {
    submitted.preventDefault();
    return once(async () => {
      try {
        const edit = editOf(event, form);
        const tooLong = lengthFault(edit);
        if (tooLong !== null) {
          const issues = [{ path: 'body', message: tooLong }];
          throw new ApiError(413, 'payload_too_large', `body: ${tooLong}`, null, issues);
        }
        const copy = await session.call('POST /api/endpoints/{id}/events/{eventId}/edit', {
          params: { id: event.endpoint_id, eventId: event.id },
          body: asTyped(edit),
        });
        tell('The edited copy is captured');
        onClose();
        navigate(eventPath(event.endpoint_id, copy.id));
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title="Edit and resend" onClose={onClose}>
      <form class="stacked" onSubmit={send} ref={element} noValidate>
        <p class="muted">
          An edited copy is captured as a new event, and goes to the destinations. This event stays
          as it came.
        </p>
        {FIELDS.map(([name, label, placeholder]) => (
          <Field key={name} label={label} name={name} error={error}>
            {(control) => (
              <input
                {...control}
                class="mono"
                required={name === 'method'}
                placeholder={placeholder}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                value={form[name]}
                onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <fieldset class="group">
          <legend>Headers</legend>
          <p class="muted">The server sets content-length.</p>
          <HeaderRows
            rows={form.headers}
            path="headers"
            error={error}
            onChange={(headers) => change({ headers })}
          />
        </fieldset>
        {form.body === null ? (
          <p class="muted">
            The body ({formatSize(event.bytes.length)}
            {event.text === null ? ', not UTF-8' : ', too large'}) stays: it can’t be edited here.
          </p>
        ) : (
          <Field label="Body" name="body" error={error}>
            {(control) => (
              <textarea
                {...control}
                class="mono"
                rows={10}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                value={form.body as string}
                onInput={({ currentTarget }) => change({ body: currentTarget.value })}
              />
            )}
          </Field>
        )}
        {error && !isAtFields(error, [...FIELDS.map(([name]) => name), 'headers', 'body']) && (
          <Problem error={error} />
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            Send the copy
          </button>
        </div>
      </form>
    </Dialog>
  );
}
