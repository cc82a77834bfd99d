import { tokenStamp } from '../own-sources/token-stamp.ts';

export const oktaStamp = tokenStamp('Authorization');
