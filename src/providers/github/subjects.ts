import { counted, listed, opt } from '../../core/text/words.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';
import { GITHUB_ALERTS } from './alerts.ts';
import type { Subject } from './subject.ts';

/** Events that one sentence of the same pattern describes: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const GITHUB_SUBJECTS: Record<string, Subject> = {
  ...GITHUB_ALERTS,
  branch_protection_configuration: { noun: 'the branch protection', name: ['repository.name'] },
  branch_protection_rule: { noun: 'the branch protection rule', title: ['rule.name'] },
  commit_comment: {
    noun: 'a comment on the commit',
    name: ['comment.commit_id'],
    words: ['comment.body'],
  },
  custom_property: { noun: 'the custom property', title: ['definition.property_name'] },
  deploy_key: { noun: 'the deploy key', title: ['key.title'] },
  deployment: {
    noun: 'a deployment of',
    name: ['deployment.ref', 'deployment.sha'],
    words: ['deployment.description'],
    more: (facts) => opt`It goes to ${facts.text('deployment.environment')}.`,
  },
  deployment_review: {
    noun: 'a review of the deployment',
    title: ['workflow_run.display_title', 'workflow_run.name'],
    words: ['comment'],
    more: (facts) =>
      opt`The environment is ${facts.first('environment', 'workflow_job_run.environment')}.`,
  },
  discussion: {
    noun: 'the discussion',
    number: 'discussion.number',
    title: ['discussion.title'],
    words: ['discussion.body'],
  },
  discussion_comment: {
    noun: 'a comment on the discussion',
    number: 'discussion.number',
    title: ['discussion.title'],
    words: ['comment.body'],
  },
  github_app_authorization: { noun: 'the authorization of a GitHub App' },
  installation: {
    noun: 'the installation of the app',
    name: ['installation.app_slug', 'installation.app_id'],
    more: (facts) =>
      opt`The account is ${facts.first('installation.account.login', 'installation.account.name')}${opt`, with ${repositories(facts, 'repositories')}`}.`,
  },
  installation_repositories: {
    noun: 'repositories of the installation of the app',
    name: ['installation.app_slug', 'installation.app_id'],
    more: (facts) =>
      opt`These are ${repositories(facts, 'repositories_added') ?? repositories(facts, 'repositories_removed')}.`,
  },
  label: {
    noun: 'the label',
    title: ['label.name'],
    words: ['label.description'],
  },
  marketplace_purchase: {
    noun: 'the plan',
    title: ['marketplace_purchase.plan.name'],
    more: (facts) =>
      opt`It is for ${facts.text('marketplace_purchase.account.login')}${opt`, billed ${facts.text('marketplace_purchase.billing_cycle')}`}.`,
  },
  member: { noun: 'the member', name: ['member.login'] },
  membership: {
    noun: 'the member',
    name: ['member.login'],
    more: (facts) => opt`The team is ${facts.quote('team.name')}.`,
  },
  merge_group: {
    noun: 'the merge group',
    name: ['merge_group.head_sha'],
    more: (facts) =>
      opt`It is to go to ${facts.text('merge_group.base_ref')}${opt`; its commit is ${facts.quote('merge_group.head_commit.message', 80)}`}.`,
  },
  meta: {
    noun: 'the webhook',
    name: ['hook_id', 'hook.id'],
    more: () => 'GitHub sends nothing more to it.',
  },
  milestone: {
    noun: 'the milestone',
    number: 'milestone.number',
    title: ['milestone.title'],
    words: ['milestone.description'],
    more: (facts) => opt`It is due ${facts.time('milestone.due_on')}.`,
  },
  org_block: { noun: 'the user', name: ['blocked_user.login'] },
  organization: {
    noun: 'the organization',
    name: ['organization.login'],
    more: (facts) =>
      opt`The member is ${facts.first('membership.user.login', 'invitation.login', 'invitation.email')}${opt`, role ${facts.first('membership.role', 'invitation.role')}`}.`,
  },
  package: {
    noun: 'the package',
    title: ['package.name'],
    more: (facts) =>
      opt`Its version is ${facts.first('package.package_version.version', 'package.package_version.name')}.`,
  },
  personal_access_token_request: {
    noun: 'the request for a personal access token',
    number: 'personal_access_token_request.id',
    title: ['personal_access_token_request.token_name'],
  },
  project: {
    noun: 'the project',
    number: 'project.number',
    title: ['project.name'],
    words: ['project.body'],
  },
  project_card: {
    noun: 'the project card',
    number: 'project_card.id',
    words: ['project_card.note'],
  },
  project_column: { noun: 'the project column', title: ['project_column.name'] },
  projects_v2: {
    noun: 'the project',
    number: 'projects_v2.number',
    title: ['projects_v2.title'],
    words: ['projects_v2.short_description'],
  },
  projects_v2_item: {
    noun: 'the project item',
    number: 'projects_v2_item.id',
    more: (facts) =>
      opt`It is of the type ${facts.text('projects_v2_item.content_type')}${opt`, and the field ${facts.quote('changes.field_value.field_name')} changed`}.`,
  },
  public: { noun: 'the repository', name: ['repository.full_name'], did: 'made public' },
  pull_request_review_comment: {
    noun: 'a review comment on pull request',
    number: 'pull_request.number',
    title: ['pull_request.title'],
    words: ['comment.body'],
    more: (facts) =>
      opt`It is about ${facts.text('comment.path')}${opt`, line ${facts.first('comment.line', 'comment.original_line')}`}.`,
  },
  pull_request_review_thread: {
    noun: 'a review thread of pull request',
    number: 'pull_request.number',
    title: ['pull_request.title'],
    words: ['thread.comments.0.body'],
  },
  registry_package: {
    noun: 'the package',
    title: ['registry_package.name'],
    more: (facts) => opt`Its version is ${facts.text('registry_package.package_version.version')}.`,
  },
  repository: {
    noun: 'the repository',
    name: ['repository.full_name'],
    words: ['repository.description'],
    more: (facts) => opt`It was called ${facts.text('changes.repository.name.from')} before.`,
  },
  repository_ruleset: { noun: 'the ruleset', title: ['repository_ruleset.name'] },
  sponsorship: {
    noun: 'the sponsorship of',
    name: ['sponsorship.sponsorable.login'],
    more: (facts) =>
      opt`The sponsor is ${facts.text('sponsorship.sponsor.login')}${opt`, the tier ${facts.quote('sponsorship.tier.name')}`}.`,
  },
  team: {
    noun: 'the team',
    title: ['team.name'],
    words: ['team.description'],
  },
  team_add: { noun: 'the team', title: ['team.name'], did: 'added' },
  watch: {
    noun: 'watching',
    name: ['repository.full_name'],
  },
  workflow_dispatch: {
    noun: 'the workflow',
    name: ['workflow'],
    did: 'started',
    more: (facts) => opt`It runs on ${facts.text('ref')}.`,
  },
};

/** Returns `3 repositories: a/b, c/d and e/f`. Returns null if there are none. */
function repositories(facts: PayloadReader, path: string): string | null {
  const count = facts.count(path);
  if (count === 0) return null;
  const names = facts.items(path).flatMap((item) => item.first('full_name', 'name') ?? []);
  return `${counted(count, 'repository')}: ${listed(names, 4)}`;
}
