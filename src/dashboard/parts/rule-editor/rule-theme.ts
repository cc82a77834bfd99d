import { EditorView } from '@codemirror/view';

/**
 * Makes the editor look like the page's other fields. The shadow root inherits the page's colours.
 */
export const ruleTheme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    background: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '&.is-wrong': { borderColor: 'var(--bad)' },
  '.cm-scroller': {
    fontFamily: '"JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    fontSize: '12px',
    lineHeight: '20px',
    fontVariantLigatures: 'none',
    maxHeight: '320px',
    overflow: 'auto',
  },
  '&.is-line .cm-scroller': { overflowX: 'auto', overflowY: 'hidden', scrollbarWidth: 'none' },
  '.cm-content': { padding: '6px 0', minHeight: '64px', caretColor: 'var(--text)' },
  '&.is-line .cm-content': { padding: '4px 0', minHeight: '28px' },
  '.cm-line': { padding: '0 10px', overflowWrap: 'anywhere' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.is-path, .is-name': { color: 'var(--json-key)' },
  '.is-operator, .is-word': { color: 'var(--text)', fontWeight: '600' },
  '.is-text': { color: 'var(--json-string)' },
  '.is-number': { color: 'var(--json-number)' },
  '.is-literal': { color: 'var(--json-literal)' },
  '.is-bracket': { color: 'var(--muted)' },
  // The library draws wavy lines as data: images, which the page's policy forbids.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    background: 'var(--surface)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
    maxWidth: 'min(480px, calc(100vw - 24px))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'inherit',
    maxHeight: '220px',
    minWidth: '200px',
    maxWidth: 'min(480px, calc(100vw - 24px))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
    padding: '4px 10px',
    lineHeight: '20px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--chosen)',
    color: 'var(--text)',
  },
  '.cm-completionLabel': {
    fontFamily: '"JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    fontSize: '12px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    unicodeBidi: 'isolate',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    color: 'var(--muted)',
    fontStyle: 'normal',
    fontSize: '12px',
    marginLeft: '0',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    unicodeBidi: 'isolate',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)', padding: '6px 10px' },
  '@media (forced-colors: active)': {
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      forcedColorAdjust: 'none',
      background: 'Highlight',
      color: 'HighlightText',
    },
    '.cm-lintRange-error': { textDecorationColor: 'LinkText' },
  },
});
