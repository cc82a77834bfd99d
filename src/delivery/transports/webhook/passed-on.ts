/**
 * Headers that aren't passed on. Most belong to the sender's connection and not to the message (RFC
 * 9110, section 7.6.1), or hookrelay's own request sets them. `accept-encoding` isn't passed on
 * because attempts show the response as it came, and hookrelay doesn't decompress it. `expect`
 * isn't passed on because the body is already here, so a 100 (Continue) is of no use.
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
 * undici throws on these characters, and every attempt of the delivery would fail. Node's parser
 * never accepts them, but a row that something other than hookrelay wrote may contain some.
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

/** Whether undici can send the header. Each character of the value stands for one byte. */
export function isSendable(name: string, value: string): boolean {
  return name !== '' && !INVALID_NAME.test(name) && !INVALID_VALUE.test(value);
}
