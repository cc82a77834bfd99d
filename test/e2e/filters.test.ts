import { test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { changeFilterBetweenCaptures, compareAmounts } from './filters.ts';

failOnLeaks();
const server = serverOfFile();

test('every capture after the answer is judged by the new filter', () =>
  changeFilterBetweenCaptures(server, server));

test('amounts as text compare with numbers, and an issue names what can’t be compared', () =>
  compareAmounts(server));
