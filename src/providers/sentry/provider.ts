import type { Provider } from '../provider.ts';

export const sentry = {
  name: 'sentry',
  title: 'Sentry',
  marks: [{ header: 'sentry-hook-resource', isType: true, rank: 3 }],
  shapes: [(o) => (o('installation', 'uuid') && o('data') ? (o('action') ?? null) : undefined)],
} satisfies Provider;
