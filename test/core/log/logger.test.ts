import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger, type LoggerOptions } from '../../../src/core/log/logger.ts';
import { escapeControls } from '../../../src/core/text/escape-controls.ts';

function capture(options: Omit<LoggerOptions, 'stream'>, isTTY = false) {
  let written = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const stream = Object.assign(sink, { isTTY });
  return { log: createLogger({ ...options, stream }), stream, text: () => written };
}

/** Everything that a terminal or a log viewer could interpret. */
const HOSTILE = 'a\u001b[2J\u0000b\r\nforged\tc\u007f\u009b31m\u2028\u202e\u2066\ufeffz';

beforeEach(() => {
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'xterm-256color');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('json', () => {
  test('is one strict object per line: time, level, msg, then the fields', () => {
    const { log, text } = capture({ format: 'json' });
    log.info('captured', { event: 'evt_1', size: 12, inert: true, none: null, left: undefined });
    const line = text();
    expect(line.endsWith('}\n')).toBe(true);
    const object = JSON.parse(line);
    expect(Object.keys(object)).toEqual(['time', 'level', 'msg', 'event', 'size', 'inert', 'none']);
    expect(object).toMatchObject({ level: 'info', msg: 'captured', size: 12, none: null });
    expect(new Date(object.time).toISOString()).toBe(object.time);
  });

  test('control characters are escaped and survive parsing', () => {
    const { log, text } = capture({ format: 'json' });
    log.warn(HOSTILE, { path: HOSTILE });
    const line = text();
    expect(line).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(line)).toMatchObject({ msg: HOSTILE, path: HOSTILE });
  });

  test('an error is {name, code, message, stack}, with its cause', () => {
    const { log, text } = capture({ format: 'json' });
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const error: unknown = new TypeError('no luck', { cause });
    log.error('failed', { error });
    expect(JSON.parse(text()).error).toEqual({
      name: 'TypeError',
      message: 'no luck',
      stack: expect.stringContaining('logger.test.ts'),
      cause: {
        name: 'Error',
        code: 'ECONNREFUSED',
        message: 'refused',
        stack: expect.stringContaining('refused'),
      },
    });
  });

  test.each([
    ['a string', 'boom', 'boom'],
    ['a number', 7, '7'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
  ])('%s as a thrown value is shown', (_, thrown, message) => {
    const { log, text } = capture({ format: 'json' });
    log.error('failed', { error: thrown });
    expect(JSON.parse(text()).error).toEqual({ message });
  });

  test('a missing error has no field', () => {
    const { log, text } = capture({ format: 'json' });
    log.info('fine', { error: undefined });
    log.info('fine', { error: null });
    const [absent, none] = text().split('\n') as [string, string];
    expect(JSON.parse(absent)).not.toHaveProperty('error');
    expect(JSON.parse(none).error).toBeNull();
  });

  test('any value can be a field', () => {
    const { log, text } = capture({ format: 'json' });
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = cycle;
    log.info('big', { n: 2n ** 70n, list: [1, 'x'], why: new RangeError('far') });
    log.info('cycle', { cycle });
    const [big, cyclic] = text().split('\n') as [string, string];
    expect(JSON.parse(big)).toMatchObject({
      n: '1180591620717411303424',
      list: [1, 'x'],
      why: { name: 'RangeError', message: 'far' },
    });
    expect(JSON.parse(cyclic)).toMatchObject({
      msg: 'cycle',
      fields: expect.stringContaining('Circular'),
    });
  });

  test('a cyclic cause ends', () => {
    const { log, text } = capture({ format: 'json' });
    const error = new Error('loop');
    error.cause = error;
    log.error('failed', { error });
    expect(JSON.parse(text()).error.message).toBe('loop');
  });

  test('fields cannot replace time, level or message', () => {
    const { log, text } = capture({ format: 'json' });
    log.info('real', { msg: 'forged', level: 'forged' });
    expect(JSON.parse(text())).toMatchObject({ msg: 'real', level: 'info' });
  });
});

describe('pretty', () => {
  test('is time, level, message and key=value, quoted where needed', () => {
    const { log, text } = capture({ format: 'pretty' });
    log.info('captured', {
      id: 'evt_1',
      n: 3,
      name: 'two words',
      empty: '',
      odd: 'a="b"',
      no: undefined,
    });
    expect(text()).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}captured id=evt_1 n=3 name="two words" empty="" odd="a=\\"b\\""\n$/,
    );
  });

  test('control characters never reach the terminal, nor break the line', () => {
    const { log, text } = capture({ format: 'pretty' });
    log.warn(HOSTILE, { path: HOSTILE, bare: '\u001b[31m' });
    const line = text();
    expect(line).toMatch(/^[\x20-\x7e]+\n$/);
    expect(line).toContain('a\\u001b[2J\\u0000b');
  });

  test('any value can be a field', () => {
    const { log, text } = capture({ format: 'pretty' });
    log.info('x', { list: [1, 'a\n'], big: 5n, none: null, error: 'timeout' });
    expect(text()).toMatch(/x list=\[ ?1, 'a\\n' ?\] big=5n none=null error=timeout\n$/);
  });

  test('an error follows on indented lines, with its code and its cause', () => {
    const { log, text } = capture({ format: 'pretty' });
    const cause = new Error('first\n12:00:00.000 info  forged \u001b[31m');
    const error = Object.assign(new Error('second', { cause }), { code: 'storage_full' });
    log.error('failed', { error, id: 'x' });
    const [head, ...rest] = text().trimEnd().split('\n');
    expect(head).toMatch(/ error failed id=x$/);
    expect(rest[0]).toBe('    Error: second (storage_full)');
    expect(rest.every((line) => line.startsWith('    '))).toBe(true);
    expect(rest.join('\n')).toContain('    caused by Error: first');
    expect(rest.join('')).not.toContain('\u001b');
  });

  test('has colours only on a terminal that wants them', () => {
    const coloured = (isTTY: boolean) => {
      const { log, text } = capture({ format: 'pretty' }, isTTY);
      log.info('x');
      return text().includes('\u001b[');
    };
    expect(coloured(true)).toBe(true);
    expect(coloured(false)).toBe(false);
    vi.stubEnv('NO_COLOR', '1');
    expect(coloured(true)).toBe(false);
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'dumb');
    expect(coloured(true)).toBe(false);
  });
});

test('lines below the level are left out', () => {
  const levels = (level?: 'debug' | 'error') => {
    const { log, text } = capture({ format: 'json', ...(level && { level }) });
    log.debug('x');
    log.info('x');
    log.warn('x');
    log.error('x');
    const lines = text().trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).level);
  };
  expect(levels()).toEqual(['info', 'warn', 'error']);
  expect(levels('debug')).toEqual(['debug', 'info', 'warn', 'error']);
  expect(levels('error')).toEqual(['error']);
});

test('equal lines are all written', () => {
  const { log, text } = capture({ format: 'json' });
  for (let i = 0; i < 50; i++) log.info('same', { a: 1 });
  expect(text().trimEnd().split('\n')).toHaveLength(50);
});

test('a stream that fails or throws only loses lines', () => {
  const { log, stream } = capture({ format: 'json' });
  stream.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  log.info('lost');
  const throwing = createLogger({
    format: 'pretty',
    stream: {
      on: () => {},
      write: () => {
        throw new Error('EPIPE');
      },
    },
  });
  throwing.error('lost too');
});

test('a process whose stderr is closed goes on', () => {
  // The shell closes the read end before the first line is written.
  const source = `
    import { createLogger } from '${new URL('../../../src/core/log/logger.ts', import.meta.url)}';
    const log = createLogger({ format: 'json' });
    let n = 0;
    const timer = setInterval(() => {
      log.info('into the void');
      if (++n === 20) { clearInterval(timer); console.log('alive'); }
    }, 5);`;
  const script = `{ "$NODE" --input-type=module -e "$SOURCE" 2>&1 >&3 | true; } 3>&1`;
  const { stdout } = spawnSync('sh', ['-c', script], {
    env: { ...process.env, NODE: process.execPath, SOURCE: source },
    encoding: 'utf8',
  });
  expect(stdout).toBe('alive\n');
});

test('escapeControls leaves ordinary text as it is', () => {
  expect(escapeControls('é 日本 🎉 \\n "x"')).toBe('é 日本 🎉 \\n "x"');
});
