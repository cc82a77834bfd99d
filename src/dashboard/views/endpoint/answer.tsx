import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { ApiError } from '../../model/api-error.ts';
import { HeaderRows } from '../../parts/form/header-rows.tsx';
import { AreaField, TextField } from '../../parts/form/text-field.tsx';
import { useDraft } from '../../parts/form/use-draft.ts';
import { useFaultFocus } from '../../parts/form/use-fault-focus.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';
import {
  ANSWER_KINDS,
  type AnswerForm,
  answerFormOf,
  answerOf,
  doubledNames,
  hasBody,
  kindOf,
  withKind,
} from './answer-form.ts';
import { AnswerPreviewBox } from './answer-preview.tsx';
import { statusPhrase } from './status-line.ts';
import '../../styles/answer.css';

/** Edits the answer to senders. Some senders demand a particular answer. */
export function Answer({ endpoint: { id, response } }: { endpoint: EndpointAnswer }) {
  const { form, isStale, edit, reset, settle } = useDraft(response, answerFormOf);
  const { error: refused, isBusy, change } = useSetting(id, settle);
  const [doubled, setDoubled] = useState<ApiError | null>(null);
  const error = doubled ?? refused;
  const element = useFaultFocus(error);
  const set = (to: Partial<AnswerForm>) => edit({ ...form, ...to });
  const kind = kindOf(form);
  const submit = (event: Event) => {
    event.preventDefault();
    const wrong = doublesOf(form);
    setDoubled(wrong);
    if (wrong) return;
    void change(
      { response: answerOf(form) },
      form.isOwn ? 'Senders get this answer now' : 'Senders get the usual answer now',
    );
  };
  return (
    <section>
      <h2>Answer to senders</h2>
      <p class="muted">
        Senders get it once their request is stored. A check of the URL by its provider is answered
        first.
      </p>
      <form class="stacked answer" onSubmit={submit} ref={element}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
        <div class="segments" role="group" aria-label="Kind of answer">
          {ANSWER_KINDS.map(([value, name]) => (
            <button
              key={value}
              type="button"
              aria-pressed={kind === value}
              onClick={() => edit(withKind(form, value))}
            >
              {name}
            </button>
          ))}
        </div>
        {form.isOwn && <AnswerFields form={form} error={error} onChange={set} />}
        <AnswerPreviewBox form={form} />
        {isStale && (
          <p role="status">
            The answer was changed elsewhere.{' '}
            <button type="button" class="link" onClick={reset}>
              Show it
            </button>
          </p>
        )}
        {error && error.issues.length === 0 && <Problem error={error} />}
        <div class="actions">
          <button type="submit" disabled={isBusy} aria-busy={isBusy}>
            Save the answer
          </button>
        </div>
      </form>
    </section>
  );
}

interface FieldsProps {
  form: AnswerForm;
  error: ApiError | null;
  onChange(to: Partial<AnswerForm>): void;
}

/** The fields for an answer with this status. */
function AnswerFields({ form, error, onChange }: FieldsProps) {
  const isTyped = hasBody(form);
  return (
    <>
      <div class="columns answer-columns">
        <TextField
          label="Status"
          name="status"
          path="response.status"
          error={error}
          note={statusPhrase(Number(form.status)) ?? 'From 200 to 599.'}
          type="number"
          min={200}
          max={599}
          required
          value={form.status}
          onText={(status) => onChange({ status })}
        />
        {kindOf(form) === 'redirect' && (
          <TextField
            label="Location"
            name="location"
            path="response.headers.location"
            error={error}
            note="A URL or a path. Few senders of webhooks follow a redirect."
            class="mono"
            placeholder="https://example.com/thanks"
            value={form.location}
            onText={(location) => onChange({ location })}
          />
        )}
        {isTyped && (
          <TextField
            label="Content type"
            name="content_type"
            path="response.content_type"
            error={error}
            class="mono"
            placeholder="application/json"
            value={form.type}
            onText={(type) => onChange({ type })}
          />
        )}
      </div>
      {isTyped && (
        <AreaField
          label="Body"
          name="body"
          path="response.body"
          error={error}
          class="mono"
          rows={4}
          value={form.body}
          onText={(body) => onChange({ body })}
        />
      )}
      <fieldset class="answer-headers">
        <legend>Headers</legend>
        <HeaderRows
          rows={form.headers}
          path="response.headers"
          error={error}
          example={{ name: 'retry-after', value: '120' }}
          onChange={(headers) => onChange({ headers })}
        />
      </fieldset>
    </>
  );
}

/** Finds headers with the same name. The server can't, because an object has each name once. */
function doublesOf(form: AnswerForm): ApiError | null {
  const doubled = doubledNames(form);
  if (doubled.length === 0) return null;
  const issues = form.headers
    .map(({ name }) => name.trim())
    .filter((name) => doubled.includes(name.toLowerCase()))
    .map((name) => ({
      path: `response.headers.${name}`,
      message: 'is there twice: case makes no difference',
    }));
  return new ApiError(400, 'invalid_input', 'a header is there twice', null, issues);
}
