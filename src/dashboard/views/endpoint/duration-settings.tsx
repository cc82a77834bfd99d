import type { CallBody } from '../../../api/client/typed-call.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { TextField } from '../../parts/form/text-field.tsx';
import { useDraft } from '../../parts/form/use-draft.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';

interface DurationText {
  title: string;
  name: 'retention' | 'expect_every';
  label: string;
  note: string;
  /** The meaning of an unset duration. */
  none: string;
  action: string;
  done: { set: string; none: string };
}

/** Edits the longest silence of an endpoint. A longer silence opens an issue. */
export const Expectation = durationSetting({
  title: 'Silence',
  name: 'expect_every',
  label: 'Expect an event every',
  note: 'From 1s to 365d, such as 15m. An issue opens when no event comes for longer. Empty: it may be silent.',
  none: 'it may be silent',
  action: 'Set the expectation',
  done: { set: 'Its silence is an issue now', none: 'It may be silent' },
});

/** Edits how long events are kept. */
export const Retention = durationSetting({
  title: 'Retention',
  name: 'retention',
  label: 'Keep events for',
  note: 'From 1m to 3650d, such as 30d. Older events are deleted with their deliveries. Empty: as long as the server keeps them.',
  none: 'as long as the server keeps them',
  action: 'Set the retention',
  done: { set: 'The retention is set', none: 'The server’s retention counts' },
});

/** Returns the section of a setting whose value is a duration or null. */
function durationSetting({ title, name, label, note, none, action, done }: DurationText) {
  return function DurationSetting({ endpoint }: { endpoint: EndpointAnswer }) {
    const { form, edit, settle } = useDraft(endpoint[name], (of) => of ?? '');
    const { error, isBusy, change } = useSetting(endpoint.id, settle);
    const submit = (event: Event) => {
      event.preventDefault();
      const typed = form.trim() || null;
      const body: Pick<CallBody<'PATCH /api/endpoints/{id}'>, typeof name> = {};
      body[name] = typed;
      return change(body, typed === null ? done.none : done.set);
    };
    return (
      <section>
        <h2>{title}</h2>
        <form class="stacked" onSubmit={submit}>
          <TextField
            label={label}
            name={name}
            error={error}
            note={note}
            value={form}
            placeholder={none}
            onText={edit}
          />
          {error && error.issues.length === 0 && <Problem error={error} />}
          <div class="actions">
            <button type="submit" disabled={isBusy} aria-busy={isBusy}>
              {action}
            </button>
          </div>
        </form>
      </section>
    );
  };
}
