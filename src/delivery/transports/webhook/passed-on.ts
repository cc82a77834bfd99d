/**
 * Headers that aren't passed on. Most belong to the sender's connection (RFC 9110, section 7.6.1),
 * or hookrelay sets its own. `accept-encoding` is dropped because hookrelay doesn't decompress the
 * responses that it shows. `expect` is dropped because the body is already here.
 */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
]);

/**
 * Match characters that `requestHead` refuses, so that every attempt would fail. Node's parser never
 * accepts them, but another program may have written the row.
 */
const INVALID_NAME = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Whether a request to a destination may have the header. A sender's `x-hookrelay-*` headers never
 * pass, because receivers may trust that hookrelay set them.
 *
 * @param key the name in lower case
 */
export function mayPassOn(key: string): boolean {
  return !NOT_PASSED_ON.has(key) && !key.startsWith('proxy-') && !key.startsWith('x-hookrelay-');
}

/** Whether `requestHead` can send the header. Each character of the value stands for one byte. */
export function isSendable(name: string, value: string): boolean {
  return name !== '' && !INVALID_NAME.test(name) && !INVALID_VALUE.test(value);
}
