import type { Provider } from '../provider.ts';
import { cloudEventsHandshake } from './handshake.ts';

export const cloudevents = {
  name: 'cloudevents',
  title: 'CloudEvents',
  sender: 'A CloudEvents source',
  marks: [{ header: 'ce-type', isType: true, rank: 2 }],
  shapes: [(o) => (o('specversion') && o('source') ? o('type') : undefined)],
  handshakes: [cloudEventsHandshake],
} satisfies Provider;
