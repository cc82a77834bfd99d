import { useEffect, useState } from 'preact/hooks';
import { guardPlace } from '../../model/router.ts';
import { FormDialog } from './form-dialog.tsx';

interface UnsavedProps {
  isDirty: boolean;
  /** What would be lost, in words that fit into the question. */
  what: string;
}

/** Asks about unsaved changes before the user leaves the view or the page. */
export function Unsaved({ isDirty, what }: UnsavedProps) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const free = guardPlace((go) =>
      setLeave(() => () => {
        free();
        go();
      }),
    );
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => {
      free();
      removeEventListener('beforeunload', onUnload);
    };
  }, [isDirty]);
  if (!leave) return null;
  return (
    <FormDialog
      title="Leave without saving?"
      action="Leave"
      danger
      onSubmit={async () => leave()}
      onClose={() => setLeave(null)}
    >
      <p>{what}</p>
    </FormDialog>
  );
}
