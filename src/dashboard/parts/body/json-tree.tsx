import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonIndex } from '../../../core/text/json-index.ts';
import { navigate } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { BodyTools } from './body-tools.tsx';
import { copyJson, selectAll } from './copy-json.ts';
import { filterLink } from './filter-link.ts';
import { clearHighlight, highlight } from './highlight.ts';
import { JsonLine, lineId } from './json-line.tsx';
import { isClosing, valueOfLine } from './json-lines.ts';
import { copyPath, copyValue } from './line-tools.tsx';
import type { Find } from './use-find.ts';
import { useTree } from './use-tree.ts';
import { lineElement, MOST_DRAWN, VirtualLines } from './virtual-lines.tsx';
import { WholeValue } from './whole-value.tsx';

interface JsonTreeProps {
  text: string;
  index: JsonIndex;
  find: Find;
  /** Null if there is no list to filter by a value. */
  endpointId: string | null;
}

/**
 * Shows a JSON text as a tree whose values open and close. Shows each value as the sender wrote it.
 */
export function JsonTree({ text, index, find, endpointId }: JsonTreeProps) {
  const isMany = index.roots > 1;
  const box = useRef<HTMLDivElement>(null);
  const tree = useTree(text, index, find);
  const { flags, lines, active, place } = tree;
  /** The value whose line is under the pointer. */
  const [pointed, setPointed] = useState<number | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const [whole, setWhole] = useState<number | null>(null);
  const withTools = pointed ?? (hasFocus ? active : null);
  const isLong = lines.length > MOST_DRAWN;

  const shared = { text, index, isMany, endpointId };
  const line = { ...shared, node: active };
  const filter = () => {
    const to = filterLink(line);
    if (to !== null) navigate(to);
  };
  const group = 'Body';
  useShortcuts([
    { keys: 'v', title: 'Copy the value of the line', group, run: () => copyValue(line) },
    { keys: 'p', title: 'Copy the path of the line', group, run: () => copyPath(line) },
    { keys: 'w', title: 'Events with the value of the line', group, run: filter },
    { keys: '+', title: 'Expand all', group, run: () => tree.setEvery(true) },
    { keys: '-', title: 'Collapse all', group, run: () => tree.setEvery(false) },
  ]);

  const onDrawn = () => {
    if (!box.current) return;
    const at = tree.nth();
    const element = at && lineElement(box.current, tree.placeOf(at.node));
    highlight(box.current, find.query, {
      element: element?.querySelector('[data-found]') ?? null,
      nth: at?.nth ?? 0,
    });
  };
  useLayoutEffect(() => clearHighlight, []);

  const nodeOf = (target: EventTarget | null): number | null => {
    const element = (target as Element | null)?.closest?.<HTMLElement>('[data-line]');
    const at = element && lines[Number(element.dataset.line)];
    return at === undefined || at === null || isClosing(at) ? null : valueOfLine(at);
  };
  const onClick = (event: MouseEvent) => {
    const node = nodeOf(event.target);
    if (node === null || (event.target as Element).closest('button, a')) return;
    if ((event.target as Element).closest('.json-toggle, .json-more')) {
      tree.set(node, flags[node] !== 1);
    } else if (getSelection()?.isCollapsed) tree.setActive(node);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selectAll(box.current as HTMLElement);
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if ((index.members[active] as number) > 0) tree.set(active, flags[active] !== 1);
      else setWhole(active);
      return;
    }
    tree.onKeyDown(event);
  };

  return (
    <>
      <BodyTools find={find}>
        <button type="button" class="quiet" title="+" onClick={() => tree.setEvery(true)}>
          Expand all
        </button>
        <button type="button" class="quiet" title="-" onClick={() => tree.setEvery(false)}>
          Collapse all
        </button>
      </BodyTools>
      <VirtualLines
        box={box}
        class="json"
        count={lines.length}
        reveal={tree.reveal}
        onDrawn={onDrawn}
        attributes={{
          role: 'tree',
          'aria-label': 'Body as JSON',
          'aria-activedescendant': place === -1 ? undefined : lineId(place),
          tabIndex: 0,
          onKeyDown,
          onClick,
          onFocus: () => setFocus(true),
          onBlur: () => setFocus(false),
          onPointerOver: (event) => setPointed(nodeOf(event.target)),
          onPointerLeave: () => setPointed(null),
          onCopy: (event) => copyJson(event, event.currentTarget, text),
        }}
        line={(at) => {
          const number = lines[at] as number;
          const node = valueOfLine(number);
          const isEnd = isClosing(number);
          return (
            <JsonLine
              key={number}
              {...shared}
              node={node}
              place={at}
              isClosing={isEnd}
              isOpen={flags[node] === 1}
              isRow={isLong}
              isActive={!isEnd && node === active && hasFocus}
              hasTools={!isEnd && node === withTools}
              onWhole={setWhole}
            />
          );
        }}
      />
      {whole !== null && <WholeValue {...line} node={whole} onClose={() => setWhole(null)} />}
    </>
  );
}
