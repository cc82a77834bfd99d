import type { CallBody } from '../../../api/client/typed-call.ts';
import { Field } from '../../parts/form/field.tsx';
import { useDraft } from '../../parts/form/use-draft.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';

interface DurationSettingProps {
  endpointId: string;
  title: string;
  /** The member of the endpoint. */
  name: 'retention' | 'expect_every';
  value: string | null;
  label: string;
  note: string;
  /** What no duration means. */
  none: string;
  /** The word on the button. */
  action: string;
  /** The notice after a change. */
  done: { set: string; none: string };
}

/** A setting that is a duration, or none. */
export function DurationSetting(props: DurationSettingProps) {
  const { endpointId, title, name, value, label, note, none, action, done } = props;
  const { form, edit, settle } = useDraft(value, (of) => of ?? '');
  const { error, isBusy, change } = useSetting(endpointId, settle);
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
        <Field label={label} name={name} error={error} note={note}>
          {(control) => (
            <input
              {...control}
              value={form}
              placeholder={none}
              autocomplete="off"
              onInput={(event) => edit(event.currentTarget.value)}
            />
          )}
        </Field>
        {error && error.issues.length === 0 && <Problem error={error} />}
        <div class="actions">
          <button type="submit" disabled={isBusy} aria-busy={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </section>
  );
}
