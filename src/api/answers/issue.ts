import type { IssueView } from '../../core/issues/issue-view.ts';

/** Something that is wrong: one for one cause at one place. */
export type Issue = IssueView;
