/**
 * The header with a message's id, in lower case. Endpoint and receiver use it to recognise a
 * repeated message (IETF draft "The Idempotency-Key HTTP Header Field").
 */
export const MESSAGE_KEY_HEADER = 'idempotency-key';
