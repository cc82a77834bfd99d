import { standardVector } from '../../documented.ts';
import type { Vector } from '../../vector.ts';

/* Providers that sign as Standard Webhooks says, many of them through Svix. */

export default {
  brex: [standardVector('webhook')],
  clerk: [standardVector('svix')],
  etsy: [standardVector('webhook')],
  'incident-io': [standardVector('webhook')],
  openai: [standardVector('webhook')],
  render: [standardVector('webhook')],
  replicate: [standardVector('webhook')],
  resend: [standardVector('svix')],
  stytch: [standardVector('svix')],
  svix: [standardVector('svix')],
  vanta: [standardVector('svix')],
} satisfies Record<string, readonly Vector[]>;
