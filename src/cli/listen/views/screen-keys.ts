export type Key =
  | 'up'
  | 'down'
  | 'first'
  | 'last'
  | 'replay'
  | 'replay-failed'
  | 'details'
  | 'copy'
  | 'copy-url'
  | 'back'
  | 'quit'
  | 'interrupt';

const KEYS = new Map<string, Key>(
  Object.entries({
    k: 'up',
    '\x1b[A': 'up',
    '\x1bOA': 'up',
    j: 'down',
    '\x1b[B': 'down',
    '\x1bOB': 'down',
    g: 'first',
    '\x1b[H': 'first',
    G: 'last',
    '\x1b[F': 'last',
    r: 'replay',
    R: 'replay-failed',
    d: 'details',
    '\r': 'details',
    c: 'copy',
    y: 'copy-url',
    '\x1b': 'back',
    q: 'quit',
    // In raw mode, Ctrl-C is an ordinary key.
    '\x03': 'interrupt',
    '\x04': 'interrupt',
  }),
);

/** Matches one control sequence (CSI or SS3) or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals write keys with them
const STROKE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])|[\s\S]/gu;

export function decodeKeys(input: string): Key[] {
  return (input.match(STROKE) ?? []).flatMap((stroke) => KEYS.get(stroke) ?? []);
}
