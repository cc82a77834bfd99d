import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import { Foreign } from '../../parts/foreign.tsx';

interface DestinationChoiceProps {
  /** Null while the destinations load. */
  destinations: readonly DestinationAnswer[] | null;
  ids: readonly string[];
  fault: string | null;
  onChange(ids: string[]): void;
}

/** Boxes of an endpoint's destinations. A disabled destination can't be chosen. */
export function DestinationChoice(props: DestinationChoiceProps) {
  const { destinations, ids, fault, onChange } = props;
  if (destinations === null) return <p class="muted">Loading …</p>;
  if (destinations.length === 0) return <p class="muted">The endpoint has no destination.</p>;
  return (
    <>
      <fieldset class="choices">
        <legend class="off-screen">Destinations</legend>
        {destinations.map(({ id, name, url, state }) => (
          <label key={id} class="choice">
            <input
              type="checkbox"
              checked={ids.includes(id)}
              disabled={state === 'disabled'}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...ids, id] : ids.filter((one) => one !== id),
                )
              }
            />
            <span class="wrap">
              <Foreign text={name ?? url} />
              {state !== 'active' && <span class="muted"> ({state})</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {fault !== null && <p class="fault">{fault}</p>}
    </>
  );
}
