import { adyenStamp } from './adyen/stamp.ts';
import { figmaStamp } from './figma/stamp.ts';
import { giteeStamp } from './gitee/stamp.ts';
import { mailgunStamp } from './mailgun/stamp.ts';
import { mercadoPagoStamp } from './mercado-pago/stamp.ts';
import { microsoftGraphStamp } from './microsoft-graph/stamp.ts';
import { tokenStamp } from './own-sources/token-stamp.ts';
import { postmarkStamp } from './postmark/stamp.ts';
import type { Stamp } from './signing/stamp.ts';

export const STAMPS: ReadonlyMap<string, Stamp> = new Map([
  ['adyen', adyenStamp],
  ['figma', figmaStamp],
  ['gitee', giteeStamp],
  ['mailgun', mailgunStamp],
  ['mercado-pago', mercadoPagoStamp],
  ['microsoft-graph', microsoftGraphStamp],
  ['okta', tokenStamp('Authorization')],
  ['postmark', postmarkStamp],
  ['telegram', tokenStamp('X-Telegram-Bot-Api-Secret-Token')],
]);
