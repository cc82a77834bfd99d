/**
 * Returns the attributes of a read-only field. The field takes the focus, because otherwise the
 * keyboard couldn't scroll its text.
 */
export const readable = (label: string) =>
  ({
    role: 'textbox',
    tabIndex: 0,
    'aria-readonly': true,
    'aria-multiline': true,
    'aria-label': label,
  }) as const;
