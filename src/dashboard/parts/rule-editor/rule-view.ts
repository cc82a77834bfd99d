import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { linter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, type Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { completionsAt, type Suggestions } from './rule-completions.ts';
import type { RuleFaultRange } from './rule-faults.ts';
import { ruleTheme } from './rule-theme.ts';
import { ruleTokens } from './rule-tokens.ts';

interface RuleViewOptions {
  label: string;
  text: string;
  placeholder: string;
  /**
   * Whether the rule is on one line. If so, Enter submits. Otherwise Ctrl-Enter or ⌘-Enter submits.
   */
  isLine: boolean;
  suggestions(): Suggestions;
  onChange(text: string): void;
  onSubmit(): void;
  onLeave(): void;
}

export interface RuleView {
  /** Replaces the text if it differs. */
  setText(text: string): void;
  setFaults(faults: readonly RuleFaultRange[]): void;
  focus(): void;
  close(): void;
}

/** The least free space below the cursor, px. */
const BAR_PX = 80;

/** Colours the whole rule after each change, because a rule has at most 16 KiB. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = coloursOf(view.state);
    }

    update({ docChanged, state }: ViewUpdate): void {
      if (docChanged) this.decorations = coloursOf(state);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function coloursOf(state: EditorState): DecorationSet {
  const marks = ruleTokens(state.doc.toString()).map(
    ({ kind, from, to }): Range<Decoration> =>
      Decoration.mark({ class: `is-${kind}` }).range(from, to),
  );
  return Decoration.set(marks);
}

/**
 * Opens an editor in a shadow root, where the library adopts its style sheets. In the page itself,
 * the library would add `style` elements. The content security policy forbids these.
 */
export function openRuleView(host: HTMLElement, options: RuleViewOptions): RuleView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const fault = document.createElement('span');
  fault.id = 'fault';
  fault.hidden = true;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: options.text, extensions: extensionsOf(options) }),
  });
  root.append(fault);
  return {
    setText(text) {
      const present = view.state.doc;
      if (present.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: present.length, insert: text } });
    },
    setFaults(faults) {
      const end = view.state.doc.length;
      const shown = faults.map(({ from, to, message }) => ({
        from: Math.min(from, end),
        to: Math.min(to, end),
        severity: 'error' as const,
        message,
      }));
      view.dispatch(setDiagnostics(view.state, shown));
      view.dom.classList.toggle('is-wrong', faults.length > 0);
      view.contentDOM.setAttribute('aria-invalid', String(faults.length > 0));
      // `aria-describedby` finds only elements inside the same root.
      fault.textContent = faults.map(({ message }) => message).join('; ');
    },
    focus: () => view.focus(),
    close: () => {
      view.destroy();
      fault.remove();
    },
  };
}

/**
 * Returns the selected range. Asks the browser, because the editor's own selection lags behind. In
 * a shadow root, Chromium reports the selection only through that root.
 */
function selectedIn(view: EditorView): [from: number, to: number] {
  const root = view.root as ShadowRoot & { getSelection?(): Selection | null };
  const selection = root.getSelection?.() ?? null;
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {};
  if (!anchorNode || !focusNode || !view.contentDOM.contains(anchorNode)) {
    const { from, to } = view.state.selection.main;
    return [from, to];
  }
  const anchor = view.posAtDOM(anchorNode, anchorOffset);
  const focus = view.posAtDOM(focusNode, focusOffset);
  return [Math.min(anchor, focus), Math.max(anchor, focus)];
}

/**
 * Replaces the selected text before the browser does. Chromium would keep the old text's colours in
 * `style` attributes, which the content security policy forbids.
 */
function writeOver(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, cancelable } = event;
  const isText = inputType === 'insertText' || inputType === 'insertReplacementText';
  const [from, to] = selectedIn(view);
  if (!isText || !data || !cancelable || from === to) return false;
  view.dispatch({
    changes: { from, to, insert: data },
    selection: { anchor: from + data.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  });
  event.preventDefault();
  return true;
}

function extensionsOf(options: RuleViewOptions): Extension[] {
  const { label, isLine, onChange, onSubmit, onLeave } = options;
  const submit = () => {
    onSubmit();
    return true;
  };
  const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    // In an empty field, the list opens only on request.
    if (state.doc.length === 0 && !explicit) return null;
    const found = completionsAt(state.doc.toString(), pos, options.suggestions());
    return found && found.options.length > 0 ? found : null;
  };
  return [
    history(),
    highlightSpecialChars(),
    colours,
    linter(null),
    ruleTheme,
    placeholder(options.placeholder),
    autocompletion({
      override: [complete],
      icons: false,
      activateOnCompletion: () => true,
      tooltipClass: () => 'suggestions',
    }),
    EditorState.allowMultipleSelections.of(false),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': String(!isLine),
      'aria-describedby': 'fault',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.doc.toString());
    }),
    EditorView.domEventHandlers({ blur: onLeave, beforeinput: writeOver }),
    isLine
      ? [
          EditorView.editorAttributes.of({ class: 'is-line' }),
          EditorView.clipboardInputFilter.of((text) => text.trim().replace(/\s*\n\s*/g, ' ')),
          EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change)),
        ]
      : [
          EditorView.lineWrapping,
          // The bar with the form's buttons covers the lower end of the editor.
          EditorView.scrollMargins.of(() => ({ bottom: BAR_PX })),
        ],
    // Tab leaves the editor, as in any other field. Enter accepts a suggestion.
    keymap.of([
      { key: 'Mod-Enter', run: submit },
      { key: 'Enter', run: acceptCompletion },
      ...(isLine ? [{ key: 'Enter', run: submit }] : []),
      ...completionKeymap,
      ...historyKeymap,
      ...lintKeymap.filter(({ key }) => key === 'F8'),
      ...standardKeymap,
    ]),
  ];
}
