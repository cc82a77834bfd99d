import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import type { Case, CaseAttempt } from '../../../src/ai/diagnose/case.ts';
import { diagnoseEvent } from '../../../src/ai/diagnose/diagnose-event.ts';
import { ERROR_RULES } from '../../../src/ai/diagnose/error-rules.ts';
import { createProgram } from '../../../src/cli/program.ts';
import type { AttemptErrorCode } from '../../../src/core/model.ts';
import { ANSWERS } from './answer-table.ts';
import { answered, caseOf, delivery, destination, failedWith, START } from './cases.ts';
import { INNER_ANSWERS } from './inner-answers.ts';
import { PROVIDER_ANSWERS, signatureOf } from './provider-answers.ts';
import { caseIn, SITUATIONS } from './standings.ts';

/** Valid ids, because commands check them. */
const IDS: [string, string][] = [
  ['evt_1', 'evt_01kxe4q2s5e0ert4wvnmhxq8p1'],
  ['evt_9', 'evt_01kxe4q2s5e0ert4wvnmhxq8p2'],
  ['dlv_9', 'dlv_01kxe4q2s5e0ert4wvnmhxq8p2'],
  ['ep_1', 'ep_01kxe4q2s5e0ert4wvnmhxq8p1'],
  ['dst_1', 'dst_01kxe4q2s5e0ert4wvnmhxq8p1'],
  ['dlv_1', 'dlv_01kxe4q2s5e0ert4wvnmhxq8p1'],
];
/** Words that follow "hookrelay" in sentences. Any other word after it is a command. */
const PROSE =
  /^(answers|delivers|does|doesn't|follows|goes|has|itself|makes|attempts|never|passes|passed|recognises|retries|sends|sign|signs|takes|verified|while|and|or|is)$/;

function cases(): Case[] {
  const tried = (attempts: CaseAttempt[], isSigned: boolean, parts: Partial<Case> = {}): Case => {
    const url = attempts[0]?.destinationUrl ?? '';
    const destinations = [destination({ url, isSigned })];
    return caseOf(attempts, { destinations, ...parts });
  };
  const subjects: Case[] = [];
  for (const isSigned of [true, false]) {
    for (let status = 200; status < 1000; status++) {
      subjects.push(tried([answered(status)], isSigned));
    }
    for (const code of Object.keys(ERROR_RULES) as AttemptErrorCode[]) {
      for (const message of ['x', 'No name server', 'No connection', 'EAI_AGAIN', 'self-signed']) {
        for (const destinationUrl of ['http://127.0.0.1:8443/', 'https://a.trycloudflare.com/']) {
          subjects.push(tried([failedWith(code, message, { destinationUrl })], isSigned));
        }
      }
    }
    const answers = [...ANSWERS, ...PROVIDER_ANSWERS, ...INNER_ANSWERS];
    for (const [, status, responseBody, expected] of answers) {
      const { headers = [], url, provider = null } = expected;
      const signature = signatureOf(expected);
      const made = answered(status, {
        responseBody,
        responseHeaders: headers,
        ...(url && { destinationUrl: url }),
      });
      subjects.push(
        tried([made], isSigned, { event: { ...caseOf([]).event, provider, signature } }),
      );
    }
  }
  const due = (nextAttemptAt: number) => [delivery({ attempts: 0, nextAttemptAt })];
  const cancelled = [delivery({ attempts: 0, state: 'cancelled', nextAttemptAt: null })];
  const filtered = [delivery({ attempts: 0, state: 'filtered', nextAttemptAt: null })];
  const paused = { id: 'ep_1', isActive: false };
  for (const deliveries of [[], due(START), due(START - 600_000), cancelled, filtered]) {
    for (const destinations of [[], caseOf([]).destinations]) {
      subjects.push(caseOf([], { deliveries, destinations, endpoint: paused }));
    }
  }
  for (const situation of SITUATIONS) {
    for (const attempts of [[], [answered(503)]]) subjects.push(caseIn(situation, attempts));
  }
  return subjects;
}

/** Every command that a text names, split as a shell splits it. */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [];
  for (const line of text.split('\n')) {
    for (const match of line.matchAll(/\bhookrelay ([^\s(]\S*)/g)) {
      if (PROSE.test((match[1] as string).replace(/[.,;:)]+$/, ''))) continue;
      commands.push(shellWords(line.slice(match.index)));
    }
  }
  return commands;
}

/** Text up to the end of a command: `;`, `|`, `<`, or a comma of the sentence. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [part] of line.matchAll(/(?:'[^']*'|\\.|[^\s';|<\\])+|[;|<]/g)) {
    if (/^[;|<]$/.test(part)) break;
    const word = part.replace(/'([^']*)'|\\(.)/g, '$1$2');
    words.push(word.replace(/[.,]$/, ''));
    if (word.endsWith(',')) break;
  }
  return words.slice(1);
}

/** The program with no actions: it only parses. */
function parser(): CommandUnknownOpts {
  const program = createProgram();
  const disarm = (command: CommandUnknownOpts): void => {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.action(() => {});
    command.commands.forEach(disarm);
  };
  program.commands.forEach(disarm);
  return program.configureOutput({ writeErr: () => {}, writeOut: () => {} });
}

test('the test splits words as a shell does', () => {
  expect(
    commandsIn(
      "Do: hookrelay a b 'c; d'\\''e' --f <g; hookrelay h 'https://…'; x, then hookrelay i, j",
    ),
  ).toEqual([['a', 'b', "c; d'e", '--f'], ['h', 'https://…'], ['i']]);
});

test('every command that a diagnosis names exists and takes the named arguments', async () => {
  const commands = new Map<string, string[]>();
  for (const subject of cases()) {
    const { diagnosis, suggestion } = diagnoseEvent(subject);
    let text = `${diagnosis}\n${suggestion}`;
    for (const [short, id] of IDS) text = text.replaceAll(new RegExp(`\\b${short}\\b`, 'g'), id);
    for (const words of commandsIn(text)) commands.set(words.join(' '), words);
  }
  expect(commands.size).toBeGreaterThan(20);
  for (const [line, words] of commands) {
    const parsing = parser().parseAsync(words, { from: 'user' });
    const failure = await parsing.then(
      () => null,
      (error: { code?: string; message: string }) =>
        error.code === 'commander.version' ? null : error.message,
    );
    expect(failure, `hookrelay ${line}`).toBeNull();
  }
});
