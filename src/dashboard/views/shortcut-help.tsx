import { activeShortcuts } from '../model/shortcuts.ts';
import { Dialog } from '../parts/dialog.tsx';

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const groups = Map.groupBy(activeShortcuts(), ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {[...groups].map(([group, shortcuts]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl class="keys">
            {shortcuts.map(({ keys, title }) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
