import { numberKey } from '../../core/rules/exact-number.ts';
import { unmarked } from './unmarked.ts';
import { hasMarkup, isUnsafeAdvice } from './unsafe-advice.ts';

/**
 * A model reads a stranger's text, and small models invent facts. A reader could act on the model's
 * words. So hookrelay drops them if they contain a command, an address, an amount, a date or a
 * number that isn't among the facts.
 */

/** Programs whose name alone is an instruction, in any sentence. */
const COMMAND_NAME =
  /\b(curl|wget|iwr|iex|irm|invoke-\w+|sudo|doas|chmod|chown|powershell|pwsh|certutil|bitsadmin|mshta|crontab|nohup|xargs|netcat|ncat|socat)\b/i;
/**
 * Programs whose names are also English words. They count as commands only with certain arguments.
 */
const COMMAND_LINE =
  /\b(rm|cp|mv|cat|nc|ssh|scp|tar|kill|dd|tee|sh|bash|zsh|eval|source)\s+["']?[-/~.$<]|\b(npm|npx|pnpm|yarn|bun|pip3?|pipx|uvx?|brew|apt|apt-get|dnf|yum|snap|docker|podman|kubectl|helm|git|cargo|go|gem|systemctl|service|openssl|dig|ss|certbot|hookrelay|ollama|stripe|vercel|ngrok|heroku|gh|aws|gcloud|az)\s+(-\S|(install|i|run|exec|add|clone|push|pull|start|stop|restart|serve|apply|delete|remove|reset|get|create|login|logs)\b)|\bhookrelay\s+(serve|tail|listen|trigger|register|login|logout|tokens|endpoints|destinations|events|replay|ai|users|backup|doctor|prune|restore|reindex|migrate)\b|\b(node|deno|python3?|perl|ruby|php)\s+(-\w|\S+\.\w{1,4}\b)/i;

/** Shell syntax: a pipe into a shell, a substitution, a chain. */
const SHELL =
  /\|\s*(sudo\s+)?(ba|z|da|k|fi|c)?sh\b|\$\([^)]|\$\{|&&\s*\S|>\s*\/|<\(|\/(usr\/)?s?bin\/|\/etc\/\w|~\/\./i;
/** Code that runs programs, or other code. */
const EXEC =
  /child_process|\bexec(File|Sync|v)?\s*\(|\bspawn(Sync)?\s*\(|\beval\s*\(|\bos\.(system|popen)|\bsubprocess\b|\bFunction\s*\(|\bimportlib\b|\b__import__\b|\bexec\.Command\b|\brequire\s*\(|\bimport\s*\(/;

const URL_LIKE =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>)]*|\bwww\.[^\s"'`<>)]+|\b(javascript|data|mailto|tel):\S+/gi;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63}){1,8}/g;
/** A host name with dots. `FILE_NAME` excludes `index.js`. */
const HOST = /(?<![\w-])(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}\b(?:\/[^\s"'`<>)]*)?/gi;
const FILE_NAME = /^[\w-]+\.(js|ts|mjs|tsx|json|html|log|env|conf|yml|yaml)$/i;

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'.split('|');
const MONTH = '(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?';
const DAY_OF_MONTH = new RegExp(
  `\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b|\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b`,
  'gi',
);
const RELATIVE_DATE =
  /\b(yesterday|today|tomorrow|tonight|(last|next|this) (week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi;
/** A number of one digit, such as `7`, `07` or `2.00`. A model may count, so it needs no fact. */
const ONE_DIGIT = /^0*\d(?:\.0+)?$/;
const LARGE_WORD = /\b(hundred|thousand|million|billion|dozen)s?\b/gi;
const CURRENCIES: Record<string, RegExp> = {
  USD: /\$|\b(usd|dollars?|cents?)\b/i,
  EUR: /€|\b(eur|euros?)\b/i,
  GBP: /£|\b(gbp|pounds?|pence)\b/i,
  JPY: /¥|\b(jpy|yen)\b/i,
  INR: /₹|\b(inr|rupees?)\b/i,
  CHF: /\b(chf|francs?)\b/i,
  BTC: /₿|\b(btc|bitcoins?)\b/i,
};

/** What a model's answer is checked against. */
export interface Ground {
  /** The builtin engine's answer. A stranger wrote the quoted parts of it. */
  facts: string;
  /** Command lines that the builtin engine advises. */
  commands: readonly string[];
  /**
   * Texts that a model must not repeat: the mark of the fence around the payload, and the model's
   * instructions.
   */
  unsaid: readonly string[];
}

/** A kind of element that a model's answer contains although the facts don't. */
export type Foreign =
  | 'fence'
  | 'advice'
  | 'markup'
  | 'command'
  | 'address'
  | 'amount'
  | 'date'
  | 'number';

/**
 * Returns the kind of the first element of a model's words that isn't among the facts, or null if
 * there is none.
 */
export function foreignIn(text: string, ground: Ground): Foreign | null {
  const said = plain(text);
  const facts = plain([ground.facts, ...ground.commands].join(' '));
  const own = facts.replace(/"[^"]*"/g, ' ');
  return (
    foreignCode(said, ground) ??
    (hasMarkup(said) ? 'markup' : null) ??
    (hasForeignAddress(said, own, facts) ? 'address' : null) ??
    foreignFigure(said, facts)
  );
}

/**
 * Checks a plan like `foreignIn`, but allows host names, because names of the payload's fields look
 * like them.
 */
export function foreignInPlan(text: string, ground: Ground): Foreign | null {
  const facts = plain([ground.facts, ...ground.commands].join(' '));
  const said = plain(text);
  return (
    foreignInCode(text, ground) ?? (hasMarkup(said) ? 'markup' : null) ?? foreignFigure(said, facts)
  );
}

/** Checks a sketch of code like `foreignIn`, but allows numbers and host names. */
export function foreignInCode(text: string, ground: Ground): Foreign | null {
  const said = plain(text);
  if (EXEC.test(said)) return 'command';
  return foreignCode(said, ground) ?? (said.match(URL_LIKE) ? 'address' : null);
}

function foreignCode(said: string, { commands, unsaid }: Ground): Foreign | null {
  const lower = said.toLowerCase();
  if (/\b(begin|end) data\b/i.test(said)) return 'fence';
  if (unsaid.some((text) => lower.includes(plain(text).toLowerCase()))) return 'fence';
  if (isUnsafeAdvice(said)) return 'advice';
  const rest = commands
    .map(plain)
    .sort((a, b) => b.length - a.length)
    .reduce((left, command) => left.replaceAll(command, ' '), said);
  return [COMMAND_NAME, COMMAND_LINE, SHELL].some((pattern) => pattern.test(rest))
    ? 'command'
    : null;
}

/**
 * Returns whether the words contain an address that isn't among the facts. A URL must be the
 * builtin engine's own. A host name or an e-mail address may also come from a quotation.
 */
function hasForeignAddress(said: string, own: string, facts: string): boolean {
  const trimmed = (found: string): string => found.replace(/[.,;:!?]+$/, '');
  if ((said.match(URL_LIKE) ?? []).some((url) => !own.includes(trimmed(url)))) return true;
  const lower = facts.replace(/"[^"]*"/g, (words) => words.replace(URL_LIKE, ' ')).toLowerCase();
  const names = [...(said.match(EMAIL) ?? []), ...(said.replace(EMAIL, ' ').match(HOST) ?? [])];
  return names.some(
    (name) => !FILE_NAME.test(name) && !lower.includes(trimmed(name).toLowerCase()),
  );
}

function foreignFigure(said: string, facts: string): Foreign | null {
  for (const pattern of Object.values(CURRENCIES)) {
    if (pattern.test(said) && !pattern.test(facts)) return 'amount';
  }
  const lower = facts.toLowerCase();
  const isNew = (word: string): boolean => !lower.includes(word.toLowerCase());
  if ((said.match(LARGE_WORD) ?? []).some(isNew)) return 'amount';
  if ((said.match(RELATIVE_DATE) ?? []).some(isNew)) return 'date';
  for (const [, before, dayAfter, dayBefore, after] of said.matchAll(DAY_OF_MONTH)) {
    const name = (before ?? after ?? '').slice(0, 3).toLowerCase();
    const month = String(MONTHS.indexOf(name) + 1).padStart(2, '0');
    const day = (dayAfter ?? dayBefore ?? '').padStart(2, '0');
    if (!facts.includes(`-${month}-${day}`)) return 'date';
  }
  const known = new Set(numbersIn(facts).map(numberKey));
  return numbersIn(said).some((number) => !ONE_DIGIT.test(number) && !known.has(numberKey(number)))
    ? 'number'
    : null;
}

/** Returns all numbers of a text, without commas between thousands. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) =>
    number.replace(/,(?=\d{3}(?!\d))/g, ''),
  );
}

/**
 * Returns a text on one line, without Markdown's marks, with compatibility characters replaced by plain ones: `ｃｕｒｌ` becomes
 * `curl`.
 */
function plain(text: string): string {
  return unmarked(text.normalize('NFKC').replace(/\p{Cf}+/gu, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
