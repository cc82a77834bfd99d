/** Returns whether a content type means a percent-encoded form. */
export function isForm(contentType: string | null): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === FORM;
}

const FORM = 'application/x-www-form-urlencoded';
