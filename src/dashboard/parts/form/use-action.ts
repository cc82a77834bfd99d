import { useRef, useState } from 'preact/hooks';

/**
 * Runs a button's action. A call during a run does nothing. `isBusy` alone doesn't prevent a second
 * run, because a second click may come before the button is drawn as disabled.
 */
export function useAction(): [
  isBusy: boolean,
  once: (action: () => Promise<unknown>) => Promise<void>,
] {
  const underWay = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const once = async (action: () => Promise<unknown>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await action();
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return [isBusy, once];
}
