/**
 * The header with a message's id, in lower case. The channel's endpoint and the receiver
 * recognise repeated messages by it (IETF draft "The Idempotency-Key HTTP Header Field").
 */
export const MESSAGE_KEY_HEADER = 'idempotency-key';
