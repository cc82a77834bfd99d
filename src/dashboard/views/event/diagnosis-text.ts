/** What a diagnosis says of one destination. */
export interface DiagnosisFinding {
  /** What happened; null where the text doesn't say it apart. */
  evidence: string | null;
  cause: string;
}

/** A step of a diagnosis, with the command that it names. */
export interface DiagnosisStep {
  text: string;
  command: string | null;
}

/** The sentences that list the attempts: `3 attempts to URL: #1 at …: 503 after 20 ms.` */
const EVIDENCE =
  /^\d[\d,]* attempts? to \S+: .*? after [\d.,]+ \w+(?: [\d.]+ \w+)?\.(?: It answered .*?[”"’']\.)?(?= |$)/s;

/** A command at the end of a step, after its colon or its question. */
const COMMAND =
  /^(.*?[:?]) ((?:hookrelay|curl|dig|openssl|nc|ss|ping|jq|docker|systemctl|ufw) .+)$/s;

/** The parts of a diagnosis, one for each paragraph. */
export function findingsOf(diagnosis: string): DiagnosisFinding[] {
  return diagnosis.split(/\n{2,}/).map((paragraph) => {
    const evidence = EVIDENCE.exec(paragraph)?.[0] ?? null;
    const cause = evidence === null ? paragraph : paragraph.slice(evidence.length).trim();
    return { evidence, cause };
  });
}

/** The numbered steps of a suggestion, without their numbers. */
export function stepsOf(suggestion: string): DiagnosisStep[] {
  return suggestion
    .split(/\n(?=\d+\. )/)
    .map((line) => line.replace(/^\d+\. /, ''))
    .filter((line) => line !== '')
    .map((line) => {
      const found = COMMAND.exec(line);
      return found
        ? { text: found[1] as string, command: found[2] as string }
        : { text: line, command: null };
    });
}
