/**
 * Headers of the sender's connection, which aren't part of the message (RFC 9110,
 * section 7.6.1), and headers that the request to the destination has of its own.
 * `accept-encoding`: attempts show the response as it came, and nothing here
 * decompresses it. `expect`: the body is here already, so a receiver's 100 has no
 * use.
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
 * What undici throws on, which would fail every attempt of the delivery. Node's
 * parser accepts none of it. A row written by other means might hold it.
 */
const INVALID_NAME = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Whether a header may stand in a request to a destination. Inbound `x-hookrelay-*`
 * never do: a receiver may trust them to be ours.
 *
 * @param key the name in lower case
 */
export function mayPassOn(key: string): boolean {
  return !NOT_PASSED_ON.has(key) && !key.startsWith('proxy-') && !key.startsWith('x-hookrelay-');
}

/** Whether a request can have the header. Each character of the value stands for one byte. */
export function isSendable(name: string, value: string): boolean {
  return name !== '' && !INVALID_NAME.test(name) && !INVALID_VALUE.test(value);
}
