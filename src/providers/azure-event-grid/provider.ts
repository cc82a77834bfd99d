import type { Provider } from '../provider.ts';
import { eventGridHandshake } from './handshake.ts';

export const azureEventGrid = {
  name: 'azure-event-grid',
  title: 'Azure Event Grid',
  marks: [{ header: 'aeg-event-type', isType: true, rank: 3 }],
  shapes: [(o) => (o('0', 'eventType') && o('0', 'topic') ? o('0', 'eventType') : undefined)],
  handshakes: [eventGridHandshake],
} satisfies Provider;
