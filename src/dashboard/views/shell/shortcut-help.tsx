import { activeShortcuts, keysOf } from '../../model/shortcuts.ts';
import { Dialog } from '../../parts/dialog.tsx';

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const withKeys = activeShortcuts().filter(({ keys }) => keys !== '');
  const groups = Map.groupBy(withKeys, ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {[...groups].map(([group, shortcuts]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl class="keys">
            {shortcuts.map((shortcut) => (
              <div key={shortcut.keys}>
                <dt>
                  {keysOf(shortcut).map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{shortcut.title}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
