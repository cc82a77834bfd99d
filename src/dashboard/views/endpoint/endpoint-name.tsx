import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { endpoints } from '../../model/page.ts';
import { SameName } from '../../parts/form/same-name.tsx';
import { TextField } from '../../parts/form/text-field.tsx';
import { useDraft } from '../../parts/form/use-draft.ts';
import { useSetting } from '../../parts/form/use-setting.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';

export function EndpointName({ endpoint: { id, name, created_at } }: { endpoint: EndpointAnswer }) {
  const { form, edit, settle } = useDraft(name, (of) => of);
  const { error, isBusy, change } = useSetting(id, settle);
  const submit = (event: Event) => {
    event.preventDefault();
    return change({ name: form }, 'Renamed');
  };
  return (
    <section>
      <h2>Name</h2>
      <form class="inline" onSubmit={submit}>
        <TextField
          label="Name"
          isLabelHidden
          name="name"
          error={error}
          required
          value={form}
          onText={edit}
        />
        <button type="submit" disabled={isBusy} aria-busy={isBusy}>
          Rename
        </button>
      </form>
      <SameName
        name={form === name ? null : form}
        what="endpoint"
        others={endpoints.value?.filter((one) => one.id !== id) ?? null}
      />
      {error && error.issues.length === 0 && <Problem error={error} />}
      <p class="muted">
        <span class="mono">{id}</span> · created <Time at={created_at} exact />
      </p>
    </section>
  );
}
