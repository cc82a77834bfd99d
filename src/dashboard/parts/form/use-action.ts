import { useRef, useState } from 'preact/hooks';

/**
 * Runs a button's action once: a second call while one is under way does nothing. Two clicks
 * can come before the button is drawn as disabled, so the state alone wouldn't do.
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
