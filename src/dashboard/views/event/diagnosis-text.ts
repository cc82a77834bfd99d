/** The part of a diagnosis about one destination. */
export interface DiagnosisFinding {
  /** What happened; null if the text doesn't separate it from the cause. */
  evidence: string | null;
  cause: string;
}

/** The sentences that list the attempts: `3 attempts to URL: #1 at …: 503 after 20 ms.` */
const EVIDENCE =
  /^\d[\d,]* attempts? to \S+: .*? after [\d.,]+ \w+(?: [\d.]+ \w+)?\.(?: It answered .*?[”"’']\.)?(?= |$)/s;

/** Returns the parts of a diagnosis, one for each paragraph. */
export function findingsOf(diagnosis: string): DiagnosisFinding[] {
  return diagnosis.split(/\n{2,}/).map((paragraph) => {
    const evidence = EVIDENCE.exec(paragraph)?.[0] ?? null;
    const cause = evidence === null ? paragraph : paragraph.slice(evidence.length).trim();
    return { evidence, cause };
  });
}
