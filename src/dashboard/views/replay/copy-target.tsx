import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Problem } from '../../parts/problem.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { type CopyChoice, canGet } from './copy-choice.ts';
import { DestinationChoice } from './destination-choice.tsx';

interface CopyTargetProps {
  /** Null while the destinations load. */
  destinations: readonly DestinationAnswer[] | null;
  /** Why the destinations couldn't be loaded. */
  unloaded: ApiError | null;
  choice: CopyChoice;
  error: ApiError | null;
  onChange(ids: string[]): void;
}

/** The destinations that get an edited copy, and what stands against it. */
export function CopyTarget({ destinations, unloaded, choice, error, onChange }: CopyTargetProps) {
  const chosen = (destinations ?? []).filter(({ id }) => choice.ids.includes(id));
  const isNobody = destinations !== null && !destinations.some(canGet);
  return (
    <fieldset class="group">
      <legend>To</legend>
      {unloaded && destinations === null ? (
        <Problem error={unloaded} />
      ) : (
        <DestinationChoice
          destinations={destinations}
          ids={choice.ids}
          fault={faultAt(error, 'destination_ids')}
          onChange={onChange}
        />
      )}
      <div role="status">
        {isNobody && <p class="muted">No destination gets the copy: it is only captured.</p>}
        {choice.isOpen && destinations !== null && (
          <p class="muted">Choose the destinations that get the copy.</p>
        )}
        {chosen.map((one) => (
          <Against key={one.id} destination={one} />
        ))}
      </div>
    </fieldset>
  );
}

function Against({ destination }: { destination: DestinationAnswer }) {
  const { name, url, sign_as, filter } = destination;
  const label = <Foreign text={name ?? url} />;
  if (sign_as !== null) {
    return (
      <p class="weak">
        {label} signs as the provider and sends only verified events: the copy fails there.
      </p>
    );
  }
  return filter === null ? null : (
    <p class="muted">{label} gets the copy whatever its filter says.</p>
  );
}
