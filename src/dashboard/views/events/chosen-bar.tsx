import { useState } from 'preact/hooks';
import { formatCount } from '../../../core/text/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import type { ChosenAction } from './act-on-event.ts';
import type { ChosenEvents } from './chosen-events.ts';

const ChosenDialog = lazy(async () => (await import('./chosen-dialog.tsx')).ChosenDialog);

const ACTIONS: readonly (readonly [ChosenAction, string])[] = [
  ['replay', 'Replay …'],
  ['cancel', 'Cancel deliveries …'],
  ['delete', 'Delete …'],
  ['export', 'Export'],
];

interface ChosenBarProps {
  chosen: ChosenEvents;
  /** The number of events in the list. */
  total: number;
  onChanged(): void;
}

/** Shows the actions on the chosen events, in place of the list's head. */
export function ChosenBar({ chosen, total, onChanged }: ChosenBarProps) {
  const [action, setAction] = useState<ChosenAction | null>(null);
  const events = chosen.byId.value;
  return (
    <div class="list-head chosen-bar">
      <span role="status">
        {formatCount(events.size)} of {formatCount(total)} chosen
      </span>
      <span class="fill" />
      {ACTIONS.map(([one, text]) => (
        <button key={one} type="button" class="quiet" onClick={() => setAction(one)}>
          {text}
        </button>
      ))}
      <button
        type="button"
        class="quiet"
        aria-label="End the choice"
        title="Esc"
        onClick={() => chosen.clear()}
      >
        ✕
      </button>
      {action && (
        <ChosenDialog
          action={action}
          events={[...events.values()]}
          onClose={(eventIds) => {
            setAction(null);
            if (action === 'delete') chosen.remove(eventIds);
          }}
          onDone={onChanged}
        />
      )}
    </div>
  );
}
