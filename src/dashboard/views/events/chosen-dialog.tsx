import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { actOnEvent, type ChosenAction } from './act-on-event.ts';
import { type Run, runEach } from './run-each.ts';

const TITLES: Record<ChosenAction, string> = {
  replay: 'Replay',
  cancel: 'Cancel deliveries of',
  delete: 'Delete',
  export: 'Export',
};
const QUESTIONS: Record<Exclude<ChosenAction, 'export'>, string> = {
  replay: 'Each goes to every enabled destination of its endpoint again.',
  cancel: 'What still waits or is retried is not sent. What was sent stays sent.',
  delete:
    'Their bodies, deliveries and attempts go with them, for good. What is open is cancelled.',
};
const DONE: Record<ChosenAction, string> = {
  replay: 'replayed',
  cancel: 'done',
  delete: 'deleted',
  export: 'exported',
};
/** The largest number of listed failures. */
const MOST_TOLD = 20;

interface ChosenDialogProps {
  action: ChosenAction;
  events: readonly EventSummaryAnswer[];
  /** Called with the events on which the action succeeded. */
  onClose(eventIds: readonly string[]): void;
  /** Called after the last event. */
  onDone(): void;
}

/**
 * Asks for confirmation, runs the action on each event, and shows the progress and the failures.
 */
export function ChosenDialog({ action, events: given, onClose, onDone }: ChosenDialogProps) {
  // The choice may change while the dialog is open.
  const [events] = useState(given);
  const [run, setRun] = useState<Run<EventSummaryAnswer> | null>(null);
  const [isOver, setOver] = useState(false);
  const [deliveries, setDeliveries] = useState(0);
  const left = useRef(new AbortController());
  const begun = useRef(false);
  const done = useRef<string[]>([]);
  const close = () => onClose(done.current);
  const begin = async () => {
    if (begun.current) return;
    begun.current = true;
    setRun({ total: events.length, done: 0, failed: [] });
    const lines = new Map<string, string>();
    let count = 0;
    const { signal } = left.current;
    await runEach(
      events,
      async (event) => {
        const outcome = await actOnEvent(action, event, signal);
        done.current.push(event.id);
        count += outcome.deliveries;
        if (action === 'export') lines.set(event.id, outcome.line);
      },
      signal,
      setRun,
    );
    setDeliveries(count);
    setOver(true);
    if (lines.size > 0) {
      const file = events.flatMap(({ id }) => lines.get(id) ?? []);
      saveFile(`events-${new Date().toISOString().slice(0, 10)}.ndjson`, new Blob(file));
    }
    onDone();
  };
  useEffect(() => {
    // An export changes nothing, so the dialog doesn't ask first.
    if (action === 'export') void begin();
    return () => left.current.abort();
  }, []);
  const what = `${TITLES[action]} ${counted(events.length, 'event')}`;
  return (
    <Dialog title={what} onClose={close}>
      {run === null && action !== 'export' && <p>{QUESTIONS[action]}</p>}
      {run && (
        <>
          <progress max={run.total} value={run.done + run.failed.length} aria-label={what} />
          <p role="status">
            {formatCount(run.done)} of {formatCount(run.total)} {DONE[action]}
            {isOver && action === 'replay' && `, ${counted(deliveries, 'delivery', 'deliveries')}`}
            {isOver &&
              action === 'cancel' &&
              `, ${counted(deliveries, 'delivery', 'deliveries')} cancelled`}
            {run.failed.length > 0 && `, ${formatCount(run.failed.length)} failed`}
          </p>
        </>
      )}
      {run && run.failed.length > 0 && (
        <ul class="failed">
          {run.failed.slice(0, MOST_TOLD).map(({ item, error }) => (
            <li key={item.id}>
              <span class="mono">{item.id}</span>: {error.message}
            </li>
          ))}
          {run.failed.length > MOST_TOLD && (
            <li>and {formatCount(run.failed.length - MOST_TOLD)} more</li>
          )}
        </ul>
      )}
      <div class="actions">
        <button type="button" onClick={close}>
          {run === null ? 'Cancel' : isOver ? 'Close' : 'Stop'}
        </button>
        {run === null && (
          <button
            type="button"
            class={action === 'delete' ? 'destructive' : 'primary'}
            onClick={begin}
          >
            {what}
          </button>
        )}
      </div>
    </Dialog>
  );
}
