/** Text that scrolls must be reached by keyboard: it is a field that nobody writes to. */
export const readable = (label: string) =>
  ({
    role: 'textbox',
    tabIndex: 0,
    'aria-readonly': true,
    'aria-multiline': true,
    'aria-label': label,
  }) as const;
