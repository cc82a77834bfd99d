import type { ProviderBody } from './provider-bodies.ts';

/*
 * Shapes from the documentation of GitLab, Bitbucket Cloud and Bitbucket Data
 * Center, and of Linear, cut down; all values are made up.
 */

const NO_COMMIT = '0'.repeat(40);
const COMMIT = '95790bf891e76fee5e1747ab589903a6a1f80f22';
const gitlab = (hook: string) => ({ 'X-Gitlab-Event': hook });
const bitbucket = (key: string) => ({ 'X-Event-Key': key });

const project = { name: 'Shop', path_with_namespace: 'group/shop' };
const gitlabPush = {
  object_kind: 'push',
  event_name: 'push',
  before: COMMIT,
  after: NO_COMMIT,
  ref: 'refs/heads/old-cart',
  user_name: 'Ada Example',
  user_username: 'ada',
  project,
  commits: [],
  total_commits_count: 0,
};

const actor = { name: 'grace', displayName: 'Grace Example', emailAddress: 'grace@example.com' };
const repository = { slug: 'shop', name: 'Shop', project: { key: 'WEB', name: 'Web' } };
const pullRequest = {
  id: 12,
  title: 'Show taxes',
  description: 'As the law wants it',
  state: 'OPEN',
  fromRef: { id: 'refs/heads/taxes', displayId: 'taxes', repository },
  toRef: { id: 'refs/heads/main', displayId: 'main', repository },
  author: { user: actor },
};
const serverPull = (key: string, more: object, facts: string[]): ProviderBody => [
  `Bitbucket Data Center, ${key}`,
  bitbucket(key),
  { eventKey: key, date: '2026-11-20T09:45:32+1000', actor, pullRequest, ...more },
  ['Grace Example', '#12 "Show taxes"', 'WEB/shop', 'taxes to main', ...facts],
  ['Somebody', 'a repository'],
];
const serverRef = (type: string, facts: string[], not: string[]): ProviderBody => [
  `Bitbucket Data Center, refs_changed of type ${type}`,
  bitbucket('repo:refs_changed'),
  {
    eventKey: 'repo:refs_changed',
    actor,
    repository,
    changes: [
      {
        ref: { id: 'refs/heads/cart', displayId: 'cart', type: 'BRANCH' },
        refId: 'refs/heads/cart',
        fromHash: COMMIT,
        toHash: type === 'DELETE' ? NO_COMMIT : COMMIT,
        type,
      },
    ],
  },
  ['Grace Example', 'branch cart', 'WEB/shop', ...facts],
  ['Somebody', 'a repository', ...not],
];
const cloudRef = {
  type: 'branch',
  name: 'cart',
  target: { hash: COMMIT, message: 'Add a cart\n' },
};
const cloudPush = (change: object, facts: string[], not: string[]): ProviderBody => [
  `Bitbucket Cloud, repo:push: ${facts[0]}`,
  bitbucket('repo:push'),
  {
    actor: { display_name: 'Grace Example', nickname: 'grace' },
    repository: { full_name: 'web/shop' },
    push: { changes: [change] },
  },
  ['Grace Example', 'web/shop', ...facts],
  not,
];

const systemHook = (body: object, facts: string[], not: string[] = []): ProviderBody => [
  `GitLab, the system hook ${(body as { event_name: string }).event_name}`,
  gitlab('System Hook'),
  { created_at: '2026-11-20T07:30:54Z', ...body },
  facts,
  ['Somebody', ...not],
];

export const CODE_HOST_BODIES: ProviderBody[] = [
  [
    'GitLab, a branch deleted',
    gitlab('Push Hook'),
    gitlabPush,
    ['ada deleted the branch old-cart of group/shop', '95790bf'],
    ['pushed', '0 commits'],
  ],
  [
    'GitLab, a tag deleted',
    gitlab('Tag Push Hook'),
    { ...gitlabPush, object_kind: 'tag_push', event_name: 'tag_push', ref: 'refs/tags/v1' },
    ['ada deleted the tag v1 of group/shop'],
    ['pushed'],
  ],
  [
    'GitLab, a branch made without commits',
    gitlab('Push Hook'),
    { ...gitlabPush, before: NO_COMMIT, after: COMMIT },
    ['ada created the branch old-cart of group/shop at 95790bf'],
    ['pushed'],
  ],
  [
    'GitLab, an emoji',
    gitlab('Emoji Hook'),
    {
      object_kind: 'emoji',
      event_type: 'award',
      user: { username: 'ada', name: 'Ada' },
      project,
      object_attributes: { id: 4, name: 'thumbsup', awardable_type: 'Issue', action: 'award' },
    },
    ['ada awarded the emoji #4 "thumbsup" in group/shop'],
    ['Somebody'],
  ],
  systemHook(
    {
      event_name: 'user_add_to_team',
      access_level: 'Maintainer',
      project_name: 'Shop',
      project_path_with_namespace: 'group/shop',
      user_email: 'linus@example.com',
      user_name: 'Linus Example',
      user_username: 'linus',
    },
    ['user linus (linus@example.com) was added to the project group/shop, as Maintainer'],
    ['by linus'],
  ),
  systemHook(
    {
      event_name: 'user_remove_from_group',
      group_access: 'Guest',
      group_name: 'Web',
      group_path: 'web',
      user_username: 'linus',
    },
    ['user linus was removed from the group web'],
    ['by linus'],
  ),
  systemHook(
    { event_name: 'user_create', email: 'linus@example.com', name: 'Linus', username: 'linus' },
    ['user linus (linus@example.com) was created'],
    ['by linus', 'linus created'],
  ),
  systemHook(
    { event_name: 'user_failed_login', name: 'Linus', username: 'linus', state: 'blocked' },
    ['user linus failed to sign in', 'blocked'],
  ),
  systemHook(
    {
      event_name: 'project_rename',
      name: 'Shop',
      path_with_namespace: 'group/shop',
      old_path_with_namespace: 'group/store',
      owner_name: 'Ada Example',
    },
    ['project group/shop was renamed, before group/store', 'owner is Ada Example'],
    ['Ada Example renamed'],
  ),
  systemHook(
    { event_name: 'key_create', username: 'linus', id: 4, key: 'ssh-rsa AAAA' },
    ['key 4 of the user linus was created'],
    ['AAAA'],
  ),
  systemHook({ event_name: 'group_destroy', name: 'Web', path: 'web' }, ['group web was deleted']),
  cloudPush(
    { new: null, old: cloudRef, closed: true },
    ['deleted the branch cart'],
    ['pushed', 'newest commit'],
  ),
  cloudPush(
    { new: null, old: { type: 'tag', name: 'v1' }, closed: true },
    ['deleted the tag v1'],
    ['pushed'],
  ),
  cloudPush({ new: cloudRef, old: null, created: true }, ['created the branch cart'], ['pushed']),
  cloudPush(
    { new: cloudRef, old: cloudRef, forced: true, commits: [{}, {}] },
    ['force-pushed 2 commits to the branch cart', '95790bf "Add a cart"'],
    [],
  ),
  [
    'Bitbucket Cloud, a comment on a pull request',
    bitbucket('pullrequest:comment_created'),
    {
      actor: { display_name: 'Grace Example' },
      repository: { full_name: 'web/shop' },
      pullrequest: { id: 3, title: 'Cart', state: 'OPEN' },
      comment: { content: { raw: 'Looks good.' } },
    },
    ['Grace Example commented on pull request #3 "Cart" in web/shop: "Looks good."'],
    ['Somebody', '.".'],
  ],
  [
    'Bitbucket Cloud, a build',
    bitbucket('repo:commit_status_updated'),
    {
      actor: { display_name: 'Grace Example' },
      repository: { full_name: 'web/shop' },
      commit_status: { name: 'Unit tests', state: 'FAILED', description: '3 failed' },
    },
    ['build "Unit tests"', 'failed: "3 failed"', 'web/shop'],
    [],
  ],
  serverRef('DELETE', ['deleted the branch cart'], ['pushed']),
  serverRef('ADD', ['created the branch cart'], ['pushed']),
  serverRef('UPDATE', ['pushed to the branch cart', '95790bf'], []),
  serverPull('pr:opened', {}, ['opened pull request', '"As the law wants it"']),
  serverPull('pr:reviewer:approved', {}, ['approved pull request']),
  serverPull('pr:reviewer:needs_work', {}, ['requested changes in']),
  serverPull('pr:from_ref_updated', {}, ['updated the source branch of']),
  serverPull('pr:merged', { pullRequest: { ...pullRequest, state: 'MERGED' } }, ['merged pull']),
  serverPull('pr:comment:added', { comment: { text: 'Why?' } }, ['commented on', '"Why?"']),
  serverPull('pr:reviewer:updated', { addedReviewers: [{ displayName: 'Linus' }] }, [
    'changed the reviewers of',
    'include Linus',
  ]),
  [
    'Bitbucket Data Center, a comment on a commit',
    bitbucket('repo:comment:added'),
    { actor, repository, commit: COMMIT, comment: { text: 'Typo' } },
    ['Grace Example commented on the commit 95790bf in WEB/shop: "Typo"'],
    ['Somebody'],
  ],
  [
    'Bitbucket Data Center, repo:modified',
    bitbucket('repo:modified'),
    { actor, old: { slug: 'store', name: 'Store' }, new: { ...repository } },
    ['Grace Example modified the repository WEB/shop', 'now called Shop, before Store'],
    ['Somebody'],
  ],
  [
    'Linear, a comment',
    { 'Linear-Event': 'Comment' },
    {
      action: 'create',
      type: 'Comment',
      organizationId: 'o',
      webhookTimestamp: 1,
      data: {
        id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
        body: 'Taxes are wrong.',
        issue: { identifier: 'ENG-7', title: 'Taxes' },
        user: { name: 'Grace Example' },
      },
    },
    ['Grace Example created the comment', 'ENG-7 "Taxes"', '"Taxes are wrong."'],
    ['Somebody', '.".'],
  ],
  [
    'Linear, an agent session',
    { 'Linear-Event': 'AgentSessionEvent' },
    {
      action: 'created',
      type: 'AgentSessionEvent',
      organizationId: 'o',
      webhookTimestamp: 1,
      agentSession: {
        id: 's1',
        creator: { name: 'Grace Example' },
        issue: { identifier: 'ENG-8', title: 'Checkout' },
      },
    },
    ['Grace Example created the agent session event', 'ENG-8 "Checkout"'],
    ['Somebody'],
  ],
  [
    'Linear, a service level that nobody broke by hand',
    { 'Linear-Event': 'IssueSLA' },
    {
      action: 'breached',
      type: 'IssueSLA',
      organizationId: 'o',
      webhookTimestamp: 1,
      issueData: { identifier: 'ENG-9', title: 'Refunds', team: { name: 'Shop' } },
    },
    ['issue sla ENG-9 "Refunds" was breached', 'team Shop'],
    ['Somebody'],
  ],
];
