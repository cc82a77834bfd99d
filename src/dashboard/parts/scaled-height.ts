/**
 * The greatest height that the browser scrolls 1 : 1. Browsers support at most 17 to 33 million
 * pixels.
 */
const MAX_HEIGHT_PX = 12_000_000;

/**
 * Returns the height that the browser scrolls, and how many of the list's pixels one pixel of
 * scrolling passes: 1 unless the list is too high for the browser.
 */
export function scaledHeight(fullPx: number, viewPx: number): { height: number; scale: number } {
  if (fullPx <= MAX_HEIGHT_PX) return { height: fullPx, scale: 1 };
  return { height: MAX_HEIGHT_PX, scale: (fullPx - viewPx) / (MAX_HEIGHT_PX - viewPx) };
}
