/**
 * Returns the attributes of a read-only field. The keyboard must be able to reach a text that
 * scrolls.
 */
export const readable = (label: string) =>
  ({
    role: 'textbox',
    tabIndex: 0,
    'aria-readonly': true,
    'aria-multiline': true,
    'aria-label': label,
  }) as const;
