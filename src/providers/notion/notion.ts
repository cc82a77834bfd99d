import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { notionHandshake } from './handshake.ts';

/** https://developers.notion.com/reference/webhooks */
export const notion = {
  name: 'notion',
  title: 'Notion',
  typePaths: [['type']],
  once: { by: [['body.id']], varies: ['body.attempt_number'] },
  handshakes: [notionHandshake],
  ...ownSignatureIn('X-Notion-Signature', "the subscription's verification token", {
    form: { prefix: 'sha256=' },
  }),
} satisfies Provider;
