/**
 * The header with a message's id, in lower case. The channel's endpoint and the receiver use the id
 * to recognise a repeated message (IETF draft "The Idempotency-Key HTTP Header Field").
 */
export const MESSAGE_KEY_HEADER = 'idempotency-key';
