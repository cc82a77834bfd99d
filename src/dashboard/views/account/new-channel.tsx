import { useState } from 'preact/hooks';
import type { Channel } from '../../../api/answers/channel.ts';
import type { Issue } from '../../../api/answers/issue.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { endpoints, session } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';

const KINDS: Issue['kind'][] = [
  'delivery',
  'verification',
  'backlog',
  'silence',
  'drift',
  'conflict',
  'alert',
];

const NOTES: Record<string, string> = {
  webhook: 'Gets signed JSON (Standard Webhooks). The secret is shown once.',
  slack: 'The URL of an incoming webhook of Slack.',
  email: 'Gets a link to confirm first.',
};

interface NewChannelProps {
  /** The account's. */
  email: string;
  onMade(channel: Channel): void;
  onClose(): void;
}

/** Adds a channel. */
export function NewChannel({ email, onMade, onClose }: NewChannelProps) {
  const all = endpoints.value ?? [];
  const [type, setType] = useState('webhook');
  const [isLimited, setLimited] = useState(false);
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const target = String(form.get('target')).trim();
    const body = {
      type,
      ...(type === 'email' ? { to: target } : { url: target }),
      kinds: isLimited ? form.getAll('kind') : null,
      endpoint_ids: isLimited && form.has('endpoint') ? form.getAll('endpoint') : null,
    };
    return once(async () => {
      try {
        onMade(await session.call<Channel>('POST', '/api/channels', { body }));
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title="New channel" onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <label>
          Type
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            <option value="webhook">webhook</option>
            <option value="slack">Slack</option>
            <option value="email">email</option>
          </select>
        </label>
        <Field
          key={type}
          label={type === 'email' ? 'Address' : 'URL'}
          name="target"
          path={type === 'email' ? 'to' : 'url'}
          error={error}
          note={NOTES[type]}
        >
          {(control) => (
            <input
              {...control}
              inputMode={type === 'email' ? 'email' : 'url'}
              required
              defaultValue={type === 'email' ? email : ''}
              autocomplete="off"
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
              {KINDS.map((kind) => (
                <label key={kind} class="choice">
                  <input type="checkbox" name="kind" value={kind} defaultChecked />
                  {kind}
                </label>
              ))}
            </fieldset>
            <fieldset class="choices">
              <legend class="muted">Endpoints; none means all</legend>
              {all.map(({ id, name }) => (
                <label key={id} class="choice">
                  <input type="checkbox" name="endpoint" value={id} />
                  <bdi>{name}</bdi>
                </label>
              ))}
            </fieldset>
          </>
        )}
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}
