/** The tree that is selected as a whole, including lines that aren't drawn. */
let whole: HTMLElement | null = null;

/** Selects all lines of a tree, including those that aren't drawn. */
export function selectAll(box: HTMLElement): void {
  getSelection()?.selectAllChildren(box);
  whole = box;
  const forget = () => {
    whole = null;
  };
  // The selection above causes the first `selectionchange`.
  document.addEventListener(
    'selectionchange',
    () => document.addEventListener('selectionchange', forget, { once: true }),
    { once: true },
  );
}

/**
 * Copies the selection as JSON. Collapsed parts and cut strings are copied in full. Hidden
 * characters are copied unescaped. The tree's own signs aren't copied.
 */
export function copyJson(event: ClipboardEvent, box: HTMLElement, text: string): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !box.contains(selection.anchorNode)) return;
  const copied = whole === box ? text.trim() : selectedJson(selection, text);
  event.clipboardData?.setData('text/plain', copied);
  event.preventDefault();
}

function selectedJson(selection: Selection, text: string): string {
  const selected = document.createElement('div');
  for (let i = 0; i < selection.rangeCount; i++) {
    selected.append(selection.getRangeAt(i).cloneContents());
  }
  for (const mark of selected.querySelectorAll('[data-mark]')) mark.remove();
  for (const value of selected.querySelectorAll<HTMLElement>('[data-from]')) {
    value.textContent = text.slice(Number(value.dataset.from), Number(value.dataset.to));
  }
  for (const line of selected.querySelectorAll('.json-line')) line.append('\n');
  return (selected.textContent ?? '').trimEnd();
}
