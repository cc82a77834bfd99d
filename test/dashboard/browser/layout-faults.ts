import type { Page } from 'playwright-core';

/** Least height and width of something to hit, px (WCAG 2.2, 2.5.8). */
const TARGET_PX = 24;
/** Least height of a main action for a finger, px. */
const TOUCH_PX = 40;

/**
 * What is cut off, out of reach or too small to hit: the document is wider than the screen, a
 * control is beyond what can be scrolled to, its words don't fit in it, or something lies over it.
 */
export function layoutFaults(page: Page, { isTouch }: { isTouch: boolean }): Promise<string[]> {
  return page.evaluate(
    ({ target, touch }) => {
      const faults: string[] = [];
      const root = document.documentElement;
      if (root.scrollWidth > root.clientWidth) {
        faults.push(`the document is ${root.scrollWidth} px wide, of ${root.clientWidth}`);
      }
      const nameOf = (element: Element) => {
        const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const classes = [...element.classList].map((name) => `.${name}`).join('');
        return `${element.localName}${classes} "${words.trim().slice(0, 40)}"`;
      };
      /** Nothing but what a screen reader says. */
      const isUnseen = (element: Element) =>
        element.closest('.off-screen, .skip') !== null ||
        getComputedStyle(element).clipPath !== 'none';

      interface Place {
        /** The side of an ancestor beyond which the element can't be seen; null without one. */
        cut: string | null;
        /** The middle of the element is in view, without scrolling. */
        isInView: boolean;
      }
      const placeOf = (element: Element): Place => {
        let { left, right, top, bottom } = element.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        let isInView = x > 0 && x < innerWidth && y > 0 && y < innerHeight;
        let { position } = getComputedStyle(element);
        for (let box = element.parentElement; box; box = box.parentElement) {
          const style = getComputedStyle(box);
          if (position === 'fixed') break;
          // What is placed absolutely isn't cut by boxes that don't place it.
          if (position === 'absolute' && style.position === 'static') continue;
          position = style.position;
          const outer = box.getBoundingClientRect();
          const inner = {
            left: outer.left + box.clientLeft,
            top: outer.top + box.clientTop,
            right: outer.left + box.clientLeft + box.clientWidth,
            bottom: outer.top + box.clientTop + box.clientHeight,
          };
          const cut = (side: string) => ({ cut: `${side} ${nameOf(box)}`, isInView: false });
          if (/auto|scroll/.test(style.overflowX)) {
            if (left - inner.left + box.scrollLeft < -1) return cut('left of');
            isInView &&= x > inner.left && x < inner.right;
            ({ left, right } = inner);
          } else if (/hidden|clip/.test(style.overflowX)) {
            if (left < inner.left - 1) return cut('left of');
            if (right > inner.right + 1) return cut('right of');
          }
          if (/auto|scroll/.test(style.overflowY)) {
            if (top - inner.top + box.scrollTop < -1) return cut('above');
            isInView &&= y > inner.top && y < inner.bottom;
            ({ top, bottom } = inner);
          } else if (/hidden|clip/.test(style.overflowY)) {
            if (top < inner.top - 1) return cut('above');
            if (bottom > inner.bottom + 1) return cut('below');
          }
        }
        if (left < -1 || right > innerWidth + 1) return { cut: 'at the side', isInView };
        if (top < -1 || bottom > innerHeight + 1) return { cut: 'beyond the screen', isInView };
        return { cut: null, isInView };
      };

      const controls = 'a[href], button, input, select, textarea, summary, [role=menuitem]';
      const dialog = document.querySelector('dialog[open]');
      for (const element of (dialog ?? document).querySelectorAll<HTMLElement>(controls)) {
        if (!element.checkVisibility({ visibilityProperty: true }) || isUnseen(element)) continue;
        const style = getComputedStyle(element);
        const { width, height, left, top } = element.getBoundingClientRect();
        const { cut, isInView } = placeOf(element);
        if (cut) faults.push(`${nameOf(element)} is cut ${cut}`);
        else if (!isInView && element.matches('[role=menuitem]')) {
          faults.push(`${nameOf(element)} is out of view`);
        }
        const isInline = style.display === 'inline';
        const words = element.scrollWidth - element.clientWidth;
        const mayBeCut = style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX);
        if (!isInline && element.localName !== 'textarea' && words > 1 && !mayBeCut) {
          faults.push(`${nameOf(element)} is ${words} px narrower than its words`);
        }
        // A link within a line of text, a row of a list, and a box whose label is the target.
        const isExempt = isInline || element.matches('.row, label input, .link');
        if (!isExempt && (width < target || height < target)) {
          faults.push(`${nameOf(element)} is ${Math.round(width)} × ${Math.round(height)} px`);
        }
        const isMain = element.matches('.primary, .side-main > *, .tabs > *, .menu-items > *');
        if (touch && isMain && height < touch) {
          faults.push(`${nameOf(element)} is ${Math.round(height)} px high for a finger`);
        }
        const over = isInView && document.elementFromPoint(left + width / 2, top + height / 2);
        // An open menu lies over what is behind it.
        if (!over || over.closest('[role=menu], .notices')) continue;
        // What scrolls goes under what sticks.
        let above: Element | null = over;
        while (above && getComputedStyle(above).position !== 'sticky') above = above.parentElement;
        const isHit = above || element.contains(over) || over.contains(element);
        if (!isHit && !isInline && !over.closest('label')?.contains(element)) {
          faults.push(`${nameOf(element)} lies under ${nameOf(over)}`);
        }
      }
      return faults;
    },
    { target: TARGET_PX, touch: isTouch ? TOUCH_PX : 0 },
  );
}
