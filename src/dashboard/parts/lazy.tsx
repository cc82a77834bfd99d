import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a component whose code loads when the component is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [View, setView] = useState(() => loaded);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      if (View) return;
      const begin = () =>
        load().then(
          (view) => {
            loaded = view;
            setView(() => view);
          },
          () => setMissing(true),
        );
      void begin();
      // The network is back.
      window.addEventListener('online', begin);
      return () => window.removeEventListener('online', begin);
    }, [View]);
    if (View) return <View {...props} />;
    if (!isMissing) return <p class="waiting">Loading …</p>;
    return (
      <div class="problem" role="alert">
        <p>
          <strong>This part of the page didn’t load.</strong>
        </p>
        <p>The server doesn’t answer, or it was updated after this page was opened.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  };
}
