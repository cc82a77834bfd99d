import { endpoints } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';

interface EndpointChoicesProps {
  legend: string;
  chosen?: readonly string[];
}

/** Checkboxes for endpoints. The form gets the ids of the checked endpoints as `endpoint`. */
export function EndpointChoices({ legend, chosen = [] }: EndpointChoicesProps) {
  return (
    <fieldset class="choices">
      <legend class="muted">{legend}</legend>
      {(endpoints.value ?? []).map(({ id, name }) => (
        <label key={id} class="choice">
          <input type="checkbox" name="endpoint" value={id} defaultChecked={chosen.includes(id)} />
          <Foreign text={name} />
        </label>
      ))}
    </fieldset>
  );
}
