import { useEffect, useState } from 'preact/hooks';

/** The time, Unix ms, renewed each second while something counts by it. */
export function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isCounting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}
