import { useEffect, useState } from 'preact/hooks';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { act, loadEndpoints, session, tell } from '../../model/page.ts';
import { navigate } from '../../model/router.ts';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { fullTimeText } from '../../text/format.ts';
import { DedupeSettings } from '../proof/dedupe-settings.tsx';
import { SourceSettings } from '../proof/source-settings.tsx';
import { Expectation } from './expectation.tsx';

export function EndpointSettings({ endpoint }: { endpoint: Endpoint }) {
  const { id, is_active } = endpoint;
  // Events that came meanwhile may look like a provider now.
  useEffect(() => void loadEndpoints().catch(() => undefined), [id]);
  const change = (body: object, done: string) =>
    act(async () => {
      await session.call('PATCH', `/api/endpoints/${id}`, { body });
      await loadEndpoints();
      tell(done);
    });
  return (
    <div class="page-body narrow">
      <section>
        <h2>Name</h2>
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name'));
            void change({ name }, 'Renamed');
          }}
        >
          <input
            name="name"
            aria-label="Name"
            required
            maxLength={200}
            defaultValue={endpoint.name}
          />
          <button type="submit">Rename</button>
        </form>
        <p class="muted">
          <span class="mono">{id}</span> · created {fullTimeText(endpoint.created_at)}
        </p>
      </section>
      <section>
        <h2>{is_active ? 'Pause' : 'Resume'}</h2>
        <p class="muted">
          {is_active
            ? 'A paused endpoint answers 404 and stores nothing. Deliveries under way go on.'
            : 'The capture URL answers 404 and stores nothing until you resume it.'}
        </p>
        <button
          type="button"
          onClick={() => change({ is_active: !is_active }, is_active ? 'Paused' : 'Resumed')}
        >
          {is_active ? 'Pause' : 'Resume'}
        </button>
      </section>
      <SourceSettings endpoint={endpoint} />
      <DedupeSettings endpoint={endpoint} />
      <Expectation endpoint={endpoint} />
      <Retention endpoint={endpoint} />
      <Answer endpoint={endpoint} onChange={change} />
      <Delete endpoint={endpoint} />
    </div>
  );
}

/** How long events are kept. */
function Retention({ endpoint: { id, retention } }: { endpoint: Endpoint }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('retention'));
    const body = { retention: typed.trim() || null };
    return once(async () => {
      try {
        await session.call('PATCH', `/api/endpoints/${id}`, { body });
        setError(null);
        await loadEndpoints();
        tell(body.retention === null ? 'The server’s retention counts' : 'The retention is set');
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <section>
      <h2>Retention</h2>
      <form class="stacked" onSubmit={submit}>
        <Field
          label="Keep events for"
          name="retention"
          error={error}
          note="From 1m to 3650d, such as 30d. Older events are deleted with their deliveries. Empty: as long as the server keeps them."
        >
          {(control) => (
            <input
              {...control}
              key={retention}
              defaultValue={retention ?? ''}
              placeholder="as long as the server keeps them"
              autocomplete="off"
            />
          )}
        </Field>
        {error && error.issues.length === 0 && <Problem error={error} />}
        <div class="actions">
          <button type="submit" disabled={isBusy}>
            Set the retention
          </button>
        </div>
      </form>
    </section>
  );
}

interface AnswerProps {
  endpoint: Endpoint;
  onChange(body: object, done: string): void;
}

/** The answer to senders. Some senders need a particular one. */
function Answer({ endpoint: { response }, onChange }: AnswerProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = {
      status: Number(form.get('status')),
      content_type: String(form.get('content_type')),
      body: String(form.get('body')),
    };
    onChange({ response: given }, 'Senders get this answer now');
  };
  return (
    <section>
      <h2>Answer to senders</h2>
      <p class="muted">
        {response
          ? 'Senders get this, once their request is stored.'
          : 'Senders get 200 and the event’s id, once their request is stored. You can answer something else.'}
      </p>
      <form class="stacked" onSubmit={submit}>
        <label>
          Status
          <input
            name="status"
            type="number"
            min={200}
            max={599}
            required
            defaultValue={String(response?.status ?? 200)}
          />
        </label>
        <label>
          Content type
          <input
            name="content_type"
            required
            defaultValue={response?.content_type ?? 'application/json'}
          />
        </label>
        <label>
          Body
          <textarea name="body" rows={4} defaultValue={response?.body ?? ''} />
        </label>
        <div class="actions">
          <button type="submit">Answer this</button>
          {response && (
            <button
              type="button"
              onClick={() => onChange({ response: null }, 'Back to the usual answer')}
            >
              Back to the usual answer
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

function Delete({ endpoint: { id, name } }: { endpoint: Endpoint }) {
  const [typed, setTyped] = useState('');
  const remove = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      await session.call('DELETE', `/api/endpoints/${id}`);
      await loadEndpoints();
      navigate('/endpoints');
      tell(`${name} is deleted`);
    });
  };
  return (
    <section class="danger">
      <h2>Delete</h2>
      <p>
        Its events and deliveries go with it, for good, and its capture URL answers 404. Type{' '}
        <strong>{name}</strong> to confirm.
      </p>
      <form class="inline" onSubmit={remove}>
        <input
          aria-label={`Type ${name} to confirm`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          autocomplete="off"
        />
        <button type="submit" class="destructive" disabled={typed !== name}>
          Delete for good
        </button>
      </form>
    </section>
  );
}
