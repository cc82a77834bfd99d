import { expect, test } from 'vitest';
import { CloseStack } from '../../../src/core/runtime/close-stack.ts';

test('it closes in reverse order, one after another, and each once', async () => {
  const stack = new CloseStack();
  const closed: string[] = [];
  stack.defer(() => closed.push('first'));
  stack.defer(async () => {
    await new Promise(setImmediate);
    closed.push('second');
  });
  stack.defer(() => closed.push('third'));
  await stack.close();
  await stack.close();
  expect(closed).toEqual(['third', 'second', 'first']);
});

test('it closes the others after a failure, and throws it', async () => {
  const stack = new CloseStack();
  let closed = false;
  stack.defer(() => {
    closed = true;
  });
  stack.defer(() => Promise.reject(new Error('the second failure')));
  stack.defer(() => {
    throw new Error('the first failure');
  });
  await expect(stack.close()).rejects.toThrow('the first failure');
  expect(closed).toBe(true);
});
