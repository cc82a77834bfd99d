/**
 * The largest height that the browser scrolls 1 : 1. Browsers support at most 17 to 33 million
 * pixels.
 */
const MAX_HEIGHT_PX = 12_000_000;

/**
 * Returns the height that the browser scrolls, px. `scale` is how many px of the list pass for one
 * scrolled px. It is 1 if the browser supports the full height.
 */
export function scaledHeight(fullPx: number, viewPx: number): { height: number; scale: number } {
  if (fullPx <= MAX_HEIGHT_PX) return { height: fullPx, scale: 1 };
  return { height: MAX_HEIGHT_PX, scale: (fullPx - viewPx) / (MAX_HEIGHT_PX - viewPx) };
}
