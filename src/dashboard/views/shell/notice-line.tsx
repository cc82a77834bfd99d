import { useEffect } from 'preact/hooks';
import { notice, type PageNotice } from '../../model/page.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useAct } from '../../parts/form/use-act.ts';

const NOTICE_MS = 6000;
/** How long an action can be undone, ms. */
const UNDO_MS = 10_000;

/** The line at the foot of the page. It shows what was done, or why an action failed. */
export function NoticeLine() {
  const current = notice.value;
  useEffect(() => {
    if (!current) return;
    const timer = setTimeout(() => dismiss(current), current.undo ? UNDO_MS : NOTICE_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {current && (
        <div class={`notice is-${current.kind}`}>
          <span>
            <Foreign text={current.text} />
            {current.hint && (
              <small>
                {' '}
                <Foreign text={current.hint} />
              </small>
            )}
          </span>
          {current.undo && <Undo of={current} undo={current.undo} />}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(current)}>
            ✕
          </button>
        </div>
      )}
    </div>
  );
}

/** Removes a notice, unless another notice has replaced it. */
function dismiss(shown: PageNotice): void {
  if (notice.value === shown) notice.value = null;
}

function Undo({ of, undo }: { of: PageNotice; undo(): Promise<void> }) {
  const [isBusy, run] = useAct();
  const takeBack = () =>
    run(async () => {
      await undo();
      dismiss(of);
    });
  useShortcuts([{ keys: 'z', title: 'Undo', group: 'Page', run: () => void takeBack() }]);
  return (
    <button type="button" disabled={isBusy} onClick={takeBack} title="Undo (z)">
      Undo
    </button>
  );
}
