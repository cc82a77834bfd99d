import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../model/api-error.ts';
import { Problem } from './problem.tsx';

/** A view that is loaded when it is first shown: most visits never do. */
export function lazyView<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyView(props: Props) {
    const [, setLoaded] = useState(loaded !== null);
    const [error, setError] = useState<ApiError | null>(null);
    const start = () => {
      setError(null);
      load().then(
        ({ default: view }) => {
          loaded = view;
          setLoaded(true);
        },
        (failed) => setError(asApiError(failed)),
      );
    };
    useEffect(() => {
      if (loaded === null) start();
    }, []);
    const View = loaded;
    if (View !== null) return <View {...props} />;
    return error ? <Problem error={error} retry={start} /> : <p class="waiting">Loading …</p>;
  };
}
