import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../api/channels/channel-answer.ts';
import { asTyped } from '../../model/as-typed.ts';
import { session, tell } from '../../model/page.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Options } from '../../parts/form/options.tsx';
import { TextField } from '../../parts/form/text-field.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { ISSUE_KINDS, KIND_TEXT } from '../../text/issue-labels.ts';
import { TYPE_TEXT } from './channel-text.ts';
import { EndpointChoices } from './endpoint-choices.tsx';
import { LimitChoice } from './limit-choice.tsx';

const NOTES: Record<ChannelAnswer['type'], string> = {
  webhook: 'Gets signed JSON (Standard Webhooks). The secret is shown once.',
  slack: 'The URL of an incoming webhook of Slack. It is a secret, and stays masked.',
  email: 'Gets a link to confirm first.',
};

interface ChannelFormProps {
  /** Null for a new channel. */
  channel: ChannelAnswer | null;
  onSaved(channel: ChannelAnswer): void;
  onClose(): void;
}

export function ChannelForm({ channel, onSaved, onClose }: ChannelFormProps) {
  const state = session.state.value;
  const ownEmail = state.kind === 'signed-in' ? state.user.email : '';
  const [type, setType] = useState<ChannelAnswer['type']>(channel?.type ?? 'webhook');
  const [isLimited, setLimited] = useState(
    channel !== null && (channel.kinds ?? channel.endpoint_ids) !== null,
  );
  const isEmail = type === 'email';
  const field = isEmail ? 'to' : 'url';
  const save = async (form: FormData) => {
    const target = String(form.get('target')).trim();
    const kinds = form.getAll('kind').map(String);
    const ids = form.getAll('endpoint').map(String);
    const address = isEmail ? { to: target } : { url: target };
    const limits = {
      kinds: isLimited && kinds.length < ISSUE_KINDS.length ? kinds : null,
      endpoint_ids: isLimited && ids.length > 0 ? ids : null,
    };
    onSaved(
      channel
        ? await session.call('PATCH /api/channels/{channelId}', {
            params: { channelId: channel.id },
            // Don't send an unchanged address. Otherwise the server asks to confirm it again.
            body: asTyped({ ...(target !== channel[field] && address), ...limits }),
          })
        : await session.call('POST /api/channels', {
            body: asTyped({ type, ...address, ...limits }),
          }),
    );
    tell(channel ? 'The channel is saved' : 'The channel is added');
  };
  return (
    <FormDialog
      title={channel ? `${TYPE_TEXT[type]} channel` : 'New channel'}
      action={channel ? 'Save' : 'Add'}
      fields={[field, 'kinds', 'endpoint_ids']}
      onSubmit={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          {channel === null && (
            <label>
              Type
              <select
                onChange={(event) => setType(event.currentTarget.value as ChannelAnswer['type'])}
              >
                <Options of={Object.entries(TYPE_TEXT)} initial={type} />
              </select>
            </label>
          )}
          <TextField
            key={type}
            label={isEmail ? 'Address' : 'URL'}
            name="target"
            path={field}
            error={error}
            note={channel?.type === 'webhook' ? undefined : NOTES[type]}
            inputMode={isEmail ? 'email' : 'url'}
            required
            defaultValue={channel?.[field] ?? (isEmail ? ownEmail : '')}
          />
          <LimitChoice
            text="Only some issues"
            isLimited={isLimited}
            fault={faultAt(error, 'kinds') ?? faultAt(error, 'endpoint_ids')}
            onChange={setLimited}
          >
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
          </LimitChoice>
        </>
      )}
    </FormDialog>
  );
}
