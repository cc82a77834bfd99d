/** Attributes of a read-only field: scrolling text must be reachable by keyboard. */
export const readable = (label: string) =>
  ({
    role: 'textbox',
    tabIndex: 0,
    'aria-readonly': true,
    'aria-multiline': true,
    'aria-label': label,
  }) as const;
