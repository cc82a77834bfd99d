import { useLayoutEffect, useState } from 'preact/hooks';

/** Returns the width of the element that gets `ref`, pixels; 0 until the width is known. */
export function useWidth(): [ref: (element: Element | null) => void, width: number] {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element) return;
    const look = () => setWidth(Math.floor(element.clientWidth));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}
