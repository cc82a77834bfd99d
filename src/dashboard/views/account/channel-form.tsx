import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../api/channels/channel-answer.ts';
import type { CallBody } from '../../../api/client/typed-call.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { type AsTyped, asTyped } from '../../model/as-typed.ts';
import { session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { ISSUE_KINDS, KIND_TEXT } from '../../text/issue-labels.ts';
import { TYPE_TEXT } from './channel-text.ts';
import { EndpointChoices } from './endpoint-choices.tsx';

type ChannelChange = AsTyped<CallBody<'PATCH /api/channels/{channelId}'>>;

const NOTES: Record<ChannelAnswer['type'], string> = {
  webhook: 'Gets signed JSON (Standard Webhooks). The secret is shown once.',
  slack: 'The URL of an incoming webhook of Slack. It is a secret, and stays masked.',
  email: 'Gets a link to confirm first.',
};

interface ChannelFormProps {
  /** Null for a new one. */
  channel: ChannelAnswer | null;
  onSaved(channel: ChannelAnswer): void;
  onClose(): void;
}

/** Adds a channel, or changes one. */
export function ChannelForm({ channel, onSaved, onClose }: ChannelFormProps) {
  const state = session.state.value;
  const ownEmail = state.kind === 'signed-in' ? state.user.email : '';
  const [type, setType] = useState<ChannelAnswer['type']>(channel?.type ?? 'webhook');
  const [isLimited, setLimited] = useState(
    channel !== null && (channel.kinds ?? channel.endpoint_ids) !== null,
  );
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const field = type === 'email' ? 'to' : 'url';
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const target = String(form.get('target')).trim();
    const kinds = form.getAll('kind').map(String);
    const ids = form.getAll('endpoint').map(String);
    const address = type === 'email' ? { to: target } : { url: target };
    const filters: Pick<ChannelChange, 'kinds' | 'endpoint_ids'> = {
      kinds: isLimited && kinds.length < ISSUE_KINDS.length ? kinds : null,
      endpoint_ids: isLimited && ids.length > 0 ? ids : null,
    };
    return once(async () => {
      setError(null);
      try {
        onSaved(
          channel
            ? await session.call('PATCH /api/channels/{channelId}', {
                params: { channelId: channel.id },
                // The same address once more would ask for another confirmation.
                body: asTyped({ ...(target !== channel[field] && address), ...filters }),
              })
            : await session.call('POST /api/channels', {
                body: asTyped({ type, ...address, ...filters }),
              }),
        );
        tell(channel ? 'The channel is saved' : 'The channel is added');
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  const fault = isLimited ? (faultAt(error, 'kinds') ?? faultAt(error, 'endpoint_ids')) : null;
  return (
    <Dialog title={channel ? `${TYPE_TEXT[type]} channel` : 'New channel'} onClose={onClose}>
      <form class="stacked" onSubmit={submit} noValidate>
        {channel === null && (
          <label>
            Type
            <select
              onChange={(event) => {
                setType(event.currentTarget.value as ChannelAnswer['type']);
                setError(null);
              }}
            >
              <Options of={Object.entries(TYPE_TEXT)} initial={type} />
            </select>
          </label>
        )}
        <Field
          key={type}
          label={type === 'email' ? 'Address' : 'URL'}
          name="target"
          path={field}
          error={error}
          note={channel?.type === 'webhook' ? undefined : NOTES[type]}
        >
          {(control) => (
            <input
              {...control}
              inputMode={type === 'email' ? 'email' : 'url'}
              required
              defaultValue={channel?.[field] ?? (type === 'email' ? ownEmail : '')}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Field>
        <label class="choice">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={(event) => setLimited(event.currentTarget.checked)}
          />
          Only some issues
        </label>
        {isLimited && (
          <>
            <fieldset class="choices">
              <legend class="muted">Kinds</legend>
              {ISSUE_KINDS.map((kind) => (
                <label key={kind} class="choice">
                  <input
                    type="checkbox"
                    name="kind"
                    value={kind}
                    defaultChecked={channel?.kinds?.includes(kind) ?? true}
                  />
                  <span>
                    {kind} <span class="muted">{KIND_TEXT[kind]}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <EndpointChoices
              legend="Endpoints; none means all"
              chosen={channel?.endpoint_ids ?? []}
            />
          </>
        )}
        {fault !== null && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {error && error.issues.length === 0 && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            {channel ? 'Save' : 'Add'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
