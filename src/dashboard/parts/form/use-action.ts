import { useRef, useState } from 'preact/hooks';

/**
 * Runs a button's action once at a time: a call during another one does nothing. A second click
 * may come before the button is drawn as disabled, so the state alone wouldn't suffice.
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
