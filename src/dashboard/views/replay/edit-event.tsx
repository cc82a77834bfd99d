import { useState } from 'preact/hooks';
import { formatSize } from '../../../core/text/size.ts';
import { ApiError } from '../../model/api-error.ts';
import { asTyped } from '../../model/as-typed.ts';
import { destinationsOf, session, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { HeaderRows } from '../../parts/form/header-rows.tsx';
import { AreaField, TextField } from '../../parts/form/text-field.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { copyChoice } from './copy-choice.ts';
import { CopyTarget } from './copy-target.tsx';
import { editOf, eventFormOf, lengthFault, unfitSignatures } from './edited-event.ts';

const LINES = [
  ['method', 'Method', ''],
  ['path', 'Path', 'none'],
  ['query', 'Query', 'none'],
] as const;
const FIELDS = [...LINES.map(([name]) => name), 'headers', 'body', 'destination_ids'];

interface EditEventProps {
  event: EventDetail;
  onClose(): void;
}

/** Captures an edited copy of an event, and delivers it to the chosen destinations. */
export function EditEvent({ event, onClose }: EditEventProps) {
  const [form, setForm] = useState(() => eventFormOf(event));
  const change = (to: Partial<typeof form>) => setForm((before) => ({ ...before, ...to }));
  const [chosen, setChosen] = useState<string[] | null>(null);
  const destinations = useLoaded(event.endpoint_id, () => destinationsOf(event.endpoint_id));
  const choice = copyChoice(destinations.value, chosen);
  const unfit = unfitSignatures(event, form);
  const send = async () => {
    const to = choice.ids.length > 0 ? { destination_ids: [...choice.ids] } : {};
    const edit = { ...editOf(event, form), ...to };
    const tooLong = lengthFault(edit);
    if (tooLong !== null) {
      const issues = [{ path: 'body', message: tooLong }];
      throw new ApiError(413, 'payload_too_large', `body: ${tooLong}`, null, issues);
    }
    const copy = await session.call('POST /api/endpoints/{id}/events/{eventId}/edit', {
      params: { id: event.endpoint_id, eventId: event.id },
      body: asTyped(edit),
    });
    const warnings = (copy.warnings ?? []).map(({ message }) => message);
    tell(['The edited copy is captured', ...warnings].join('. '));
    navigate(eventPath(event.endpoint_id, copy.id));
  };
  return (
    <FormDialog
      title="Edit and resend"
      action="Send the copy"
      disabled={choice.isOpen}
      fields={FIELDS}
      onSubmit={send}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p class="muted">
            An edited copy is captured as a new event, and goes to the destinations that you choose.
            This event stays as it came.
          </p>
          <CopyTarget
            destinations={destinations.value}
            unloaded={destinations.error}
            choice={choice}
            error={error}
            onChange={setChosen}
          />
          {LINES.map(([name, label, placeholder]) => (
            <TextField
              key={name}
              label={label}
              name={name}
              error={error}
              class="mono"
              required={name === 'method'}
              placeholder={placeholder}
              value={form[name]}
              onText={(text) => change({ [name]: text })}
            />
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
            <AreaField
              label="Body"
              name="body"
              error={error}
              class="mono"
              rows={10}
              value={form.body}
              onText={(body) => change({ body })}
            />
          )}
          <div role="status">
            {unfit.map((name) => (
              <p key={name} class="weak">
                <Foreign text={name} /> signs the original: a receiver that verifies it refuses the
                copy.
              </p>
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}
