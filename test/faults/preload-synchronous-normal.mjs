// The control of the power cuts: a server whose commits don't wait for the disk,
// and whose own look at the setting is lied to. Loaded with --import.
import Database from 'better-sqlite3';

const { pragma } = Database.prototype;
Database.prototype.pragma = function weakened(source, options) {
  if (source === 'synchronous = 2') return pragma.call(this, 'synchronous = 1', options);
  const answer = pragma.call(this, source, options);
  return source === 'synchronous' && answer === 1 ? 2 : answer;
};
