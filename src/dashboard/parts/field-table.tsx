import type { FormField } from '../text/form-fields.ts';
import { Foreign } from './foreign.tsx';

/** Shows names and values in their order, with duplicates. */
export function FieldTable({ fields }: { fields: readonly FormField[] }) {
  return (
    <div class="table-box">
      <table class="fields">
        <tbody>
          {fields.map(({ name, value, note }, i) => (
            <tr key={i}>
              <th scope="row">
                <Foreign text={name} />
              </th>
              <td>
                <Foreign text={value} kept={'\n\t'} />
                {note !== null && <small class="muted"> {note}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
