/**
 * The header with a message's id, in lower case: the endpoint of a channel tells repeated
 * messages by it, and so may the receiver (IETF draft "The Idempotency-Key HTTP Header
 * Field").
 */
export const MESSAGE_KEY_HEADER = 'idempotency-key';
