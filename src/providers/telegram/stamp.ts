import { tokenStamp } from '../own-sources/token-stamp.ts';

export const telegramStamp = tokenStamp('X-Telegram-Bot-Api-Secret-Token');
