import { useRef, useState } from 'preact/hooks';

/**
 * Runs a button's action, one run at a time: a call during a run does nothing. `isBusy` alone
 * wouldn't suffice, because a second click may come before the button is drawn as disabled.
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
