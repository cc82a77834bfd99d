import { CodedNames } from '../../../core/coded-names.ts';
import { ISSUE_KIND, type Issue, type IssueKind } from '../../../core/issues/issue.ts';

const STORED_STATE = new CodedNames<Issue['state']>({
  forming: 0,
  open: 1,
  acknowledged: 2,
  ignored: 3,
  resolved: 4,
});
const NOTIFIED_STATE = new CodedNames<NonNullable<Issue['notified']>>({ open: 1, resolved: 2 });

/** `issues.kind`. */
export const kindCode = (kind: IssueKind): number => ISSUE_KIND.code(kind);
export const kindOf = (code: number): IssueKind => ISSUE_KIND.name(code);

/** `issues.state`. */
export const issueStateCode = (state: Issue['state']): number => STORED_STATE.code(state);
export const issueStateOf = (code: number): Issue['state'] => STORED_STATE.name(code);

/** `issues.told`. */
export const notifiedCode = (told: Issue['notified']): number | null =>
  told === null ? null : NOTIFIED_STATE.code(told);
export const notifiedOf = (code: number | null): Issue['notified'] =>
  code === null ? null : NOTIFIED_STATE.name(code);
