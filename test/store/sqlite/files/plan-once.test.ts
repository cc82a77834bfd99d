import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { hideValues, planOnce } from '../../../../src/store/sqlite/files/plan-once.ts';

test.each([
  ['SELECT ? + ?', 'SELECT +? + +?'],
  ["SELECT '?', ?", "SELECT '?', +?"],
  ["SELECT 'it''s ?', ?", "SELECT 'it''s ?', +?"],
  ['SELECT "a?" FROM t WHERE b = ?', 'SELECT "a?" FROM t WHERE b = +?'],
  ['SELECT 1 -- why?\n WHERE 1 = ?', 'SELECT 1 -- why?\n WHERE 1 = +?'],
  ["SELECT /* '? */ ?", "SELECT /* '? */ +?"],
])('%s', (sql, hidden) => {
  expect(hideValues(sql)).toBe(hidden);
});

test('bound values arrive unchanged', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  planOnce(db);
  const statement = db.prepare("SELECT ? AS value, typeof(?) AS type, '?' AS text -- ?");
  expect(statement.get('1', '1')).toEqual({ value: '1', type: 'text', text: '?' });
});
