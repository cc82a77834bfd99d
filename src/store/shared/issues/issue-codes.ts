import { ISSUE_KINDS, type Issue, type IssueKind } from '../../../core/issues/issue.ts';

/*
 * Enumerations of `issues` are stored as their index. New values go only at the end of
 * a list.
 */

const STORED_STATES = ['forming', 'open', 'acknowledged', 'ignored', 'resolved'] as const;
/** 0 is never stored: null stands for it. */
const TOLD_STATES = [null, 'open', 'resolved'] as const;

/** `issues.kind`. */
export const kindCode = (kind: IssueKind): number => ISSUE_KINDS.indexOf(kind);
export const kindOf = (code: number): IssueKind => ISSUE_KINDS[code] as IssueKind;

/** `issues.state`. */
export const issueStateCode = (state: Issue['state']): number => STORED_STATES.indexOf(state);
export const issueStateOf = (code: number): Issue['state'] => STORED_STATES[code] as Issue['state'];

/** `issues.told`. */
export const toldCode = (told: Issue['told']): number | null =>
  told === null ? null : TOLD_STATES.indexOf(told);
export const toldOf = (code: number | null): Issue['told'] => TOLD_STATES[code ?? 0] ?? null;
