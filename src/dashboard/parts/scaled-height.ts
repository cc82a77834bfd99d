/** Height above which scrolling is proportional. Browsers stop at 17 to 33 million pixels. */
const MAX_HEIGHT_PX = 12_000_000;

/**
 * The height that the browser scrolls, and the list's pixels per pixel of scrolling: 1 unless the
 * list is too long.
 */
export function scaledHeight(fullPx: number, viewPx: number): { height: number; scale: number } {
  if (fullPx <= MAX_HEIGHT_PX) return { height: fullPx, scale: 1 };
  return { height: MAX_HEIGHT_PX, scale: (fullPx - viewPx) / (MAX_HEIGHT_PX - viewPx) };
}
