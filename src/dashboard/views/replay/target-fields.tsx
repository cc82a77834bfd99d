import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { TextField } from '../../parts/form/text-field.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { DestinationChoice } from './destination-choice.tsx';
import type { ReplayChoice } from './replay-choice.ts';

interface TargetFieldsProps {
  /** Null while the destinations load. */
  destinations: readonly DestinationAnswer[] | null;
  target: ReplayChoice;
  error: ApiError | null;
  /** Whether the user can also choose a URL. A replay of many events goes only to destinations. */
  withUrl: boolean;
  onChange(target: ReplayChoice): void;
}

/** A choice of the replay's target. */
export function TargetFields(props: TargetFieldsProps) {
  const { destinations, target, error, withUrl, onChange } = props;
  const enabled = destinations?.filter(({ state }) => state !== 'disabled');
  const count = enabled ? ` (${enabled.length})` : '';
  const ways: [ReplayChoice, text: string][] = [
    [{ to: 'all' }, `every destination${count}`],
    [{ to: 'destinations', ids: [] }, 'some destinations'],
  ];
  if (withUrl) ways.push([{ to: 'url', url: '' }, 'a URL, once']);
  return (
    <fieldset class="group">
      <legend>To</legend>
      {ways.map(([way, text]) => (
        <label key={way.to} class="choice">
          <input
            type="radio"
            name="to"
            checked={target.to === way.to}
            onChange={() => onChange(way)}
          />
          {text}
        </label>
      ))}
      {target.to === 'destinations' && (
        <DestinationChoice
          destinations={destinations}
          ids={target.ids}
          fault={faultAt(error, 'destination_ids')}
          onChange={(ids) => onChange({ to: 'destinations', ids })}
        />
      )}
      {target.to === 'url' && (
        <TextField
          label="URL"
          name="url"
          error={error}
          note="The request goes there as it came, without a destination’s headers and signature."
          type="url"
          required
          placeholder="https://example.com/webhooks"
          value={target.url}
          onText={(url) => onChange({ to: 'url', url })}
        />
      )}
    </fieldset>
  );
}
