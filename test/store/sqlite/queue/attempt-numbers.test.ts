import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { AttemptNumbers } from '../../../../src/store/sqlite/queue/attempt-numbers.ts';

function emptyDatabase() {
  const db = new Database(':memory:');
  onTestFinished(() => {
    db.close();
  });
  db.exec('CREATE TABLE attempts (seq INTEGER PRIMARY KEY AUTOINCREMENT)');
  const insert = db.prepare('INSERT INTO attempts (seq) VALUES (?)');
  const record = (numbers: AttemptNumbers) => {
    insert.run(numbers.next());
    return numbers.last;
  };
  const noted = () => db.prepare('SELECT seq FROM sqlite_sequence').pluck().get();
  return { db, record, noted };
}

test('numbers go on after a close, and a kill repeats none, whatever is deleted', () => {
  const { db, record, noted } = emptyDatabase();
  const first = new AttemptNumbers(db);
  expect([record(first), record(first), noted()]).toEqual([1, 2, 1000]);
  first.close();
  expect(noted()).toBe(2);
  const second = new AttemptNumbers(db);
  expect([second.last, record(second)]).toEqual([2, 3]);
  db.exec('DELETE FROM attempts');
  const afterKill = new AttemptNumbers(db);
  expect(record(afterKill)).toBeGreaterThan(3);
  for (let n = 0; n < 2000; n++) record(afterKill);
  expect(noted()).toBeGreaterThan(afterKill.last);
});

test('numbers of a transaction that was rolled back are lost', () => {
  const { db, record, noted } = emptyDatabase();
  const numbers = new AttemptNumbers(db);
  expect(() =>
    db.transaction(() => {
      record(numbers);
      throw new Error('full');
    })(),
  ).toThrow('full');
  expect(noted()).toBeUndefined();
  expect(record(numbers)).toBe(2);
  // SQLite notes it, because the reservation was rolled back too.
  expect(noted()).toBe(2);
});
