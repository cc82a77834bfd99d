import type { Provider } from '../provider.ts';

export const typeform = {
  name: 'typeform',
  title: 'Typeform',
  marks: [{ header: 'typeform-signature', rank: 3 }],
  shapes: [(o) => (o('form_response', 'form_id') ? o('event_type') : undefined)],
} satisfies Provider;
