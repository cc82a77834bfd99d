import type { HeaderPair } from '../../core/model.ts';
import type { Fresh } from '../sampling/fresh.ts';
import type { Json, Sample, SampleContent } from '../sampling/sample.ts';
import { github } from './github.ts';
import {
  ADA,
  account,
  FULL_NAME,
  GRACE,
  label,
  nodeId,
  OWNER,
  REPOSITORY_API,
  REPOSITORY_ID,
  REPOSITORY_SITE,
  reactions,
  repository,
} from './sample-objects.ts';

const DOCS = 'https://docs.github.com/en/webhooks/webhook-events-and-payloads';

export const githubSamples: Sample[] = [
  sample('push', 'two commits pushed to main', push),
  sample('pull_request', 'a pull request opened', pullRequest),
  sample('issues', 'an issue opened', issues),
  sample('release', 'a release published', release),
  sample('ping', 'what GitHub sends to a new webhook', ping),
];

/** The headers: https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers */
function sample(
  event: string,
  description: string,
  payload: (fresh: Fresh, hookId: number) => Json,
): Sample {
  return {
    name: `github.${event}`,
    provider: 'github',
    signature: github.signature,
    description,
    format: 'json',
    source: `${DOCS}#${event}`,
    build: (fresh): SampleContent => {
      const deliveryId = fresh.uuid();
      const hookId = fresh.number(9);
      const headers: HeaderPair[] = [
        ['Accept', '*/*'],
        ['Content-Type', 'application/json'],
        ['User-Agent', `GitHub-Hookshot/${fresh.hex(7)}`],
        ['X-GitHub-Delivery', deliveryId],
        ['X-GitHub-Event', event],
        ['X-GitHub-Hook-ID', String(hookId)],
        ['X-GitHub-Hook-Installation-Target-ID', String(REPOSITORY_ID)],
        ['X-GitHub-Hook-Installation-Target-Type', 'repository'],
      ];
      return { payload: payload(fresh, hookId), headers, deliveryId };
    },
  };
}

function push(fresh: Fresh): Json {
  const before = fresh.hex(40);
  const ada = { name: ADA.name, email: ADA.email, username: ADA.login };
  const commit = (message: string, offsetS: number, files: Record<string, string[]>) => {
    const id = fresh.hex(40);
    return {
      id,
      tree_id: fresh.hex(40),
      distinct: true,
      message,
      timestamp: fresh.iso(offsetS),
      url: `${REPOSITORY_SITE}/commit/${id}`,
      author: ada,
      committer: { name: 'GitHub', email: 'noreply@github.com', username: 'web-flow' },
      added: [],
      removed: [],
      modified: [],
      ...files,
    };
  };
  const first = commit('Round totals half to even', -5400, {
    modified: ['src/cart/total.ts'],
    added: ['test/cart/rounding.test.ts'],
  });
  const head = commit('Show taxes in the cart\n\nCloses #128', -60, {
    modified: ['src/cart/cart.ts', 'README.md'],
    removed: ['src/cart/legacy-tax.ts'],
  });
  return {
    ref: 'refs/heads/main',
    before,
    after: head.id,
    // Only in this event, the repository's times are in seconds, and `url` is its page.
    repository: {
      ...repository(fresh),
      url: REPOSITORY_SITE,
      created_at: 1740906867,
      pushed_at: fresh.seconds(),
      stargazers: 12,
      master_branch: 'main',
      organization: OWNER,
    },
    pusher: { name: ADA.login, email: ADA.email },
    sender: account(ADA),
    created: false,
    deleted: false,
    forced: false,
    base_ref: null,
    compare: `${REPOSITORY_SITE}/compare/${before.slice(0, 12)}...${head.id.slice(0, 12)}`,
    commits: [first, head],
    head_commit: head,
  };
}

function pullRequest(fresh: Fresh): Json {
  const number = 131;
  const url = `${REPOSITORY_API}/pulls/${number}`;
  const issueUrl = `${REPOSITORY_API}/issues/${number}`;
  const html = `${REPOSITORY_SITE}/pull/${number}`;
  const headSha = fresh.hex(40);
  const repo = repository(fresh);
  const links = {
    comments_url: `${issueUrl}/comments`,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${REPOSITORY_API}/pulls/comments{/number}`,
    statuses_url: `${REPOSITORY_API}/statuses/${headSha}`,
  };
  const side = (ref: string, sha: string) => ({
    label: `${OWNER}:${ref}`,
    ref,
    sha,
    user: repo.owner,
    repo,
  });
  return {
    action: 'opened',
    number,
    pull_request: {
      url,
      id: fresh.number(10),
      node_id: nodeId('PR', fresh),
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      issue_url: issueUrl,
      number,
      state: 'open',
      locked: false,
      title: 'Show taxes in the cart',
      user: account(ADA),
      body: 'Customers asked what they pay before they pay it.\n\nCloses #128',
      created_at: fresh.iso(),
      updated_at: fresh.iso(),
      closed_at: null,
      merged_at: null,
      merge_commit_sha: null,
      assignee: null,
      assignees: [],
      requested_reviewers: [account(GRACE)],
      requested_teams: [],
      labels: [label('enhancement', 'a2eeef', 'New feature or request')],
      milestone: null,
      draft: false,
      ...links,
      head: side('cart-taxes', headSha),
      base: side('main', fresh.hex(40)),
      _links: {
        self: { href: url },
        html: { href: html },
        issue: { href: issueUrl },
        comments: { href: links.comments_url },
        review_comments: { href: links.review_comments_url },
        review_comment: { href: links.review_comment_url },
        commits: { href: links.commits_url },
        statuses: { href: links.statuses_url },
      },
      author_association: 'MEMBER',
      auto_merge: null,
      active_lock_reason: null,
      merged: false,
      mergeable: null,
      rebaseable: null,
      mergeable_state: 'unknown',
      merged_by: null,
      comments: 0,
      review_comments: 0,
      maintainer_can_modify: false,
      commits: 2,
      additions: 84,
      deletions: 31,
      changed_files: 5,
    },
    repository: repo,
    organization: { login: OWNER, id: repo.owner.id, url: `https://api.github.com/orgs/${OWNER}` },
    sender: account(ADA),
  };
}

function issues(fresh: Fresh): Json {
  const number = 128;
  const url = `${REPOSITORY_API}/issues/${number}`;
  return {
    action: 'opened',
    issue: {
      url,
      repository_url: REPOSITORY_API,
      labels_url: `${url}/labels{/name}`,
      comments_url: `${url}/comments`,
      events_url: `${url}/events`,
      html_url: `${REPOSITORY_SITE}/issues/${number}`,
      id: fresh.number(10),
      node_id: nodeId('I', fresh),
      number,
      title: 'The cart does not show taxes',
      user: account(GRACE),
      labels: [label('bug', 'd73a4a', "Something isn't working")],
      state: 'open',
      locked: false,
      assignee: account(ADA),
      assignees: [account(ADA)],
      milestone: null,
      comments: 0,
      created_at: fresh.iso(),
      updated_at: fresh.iso(),
      closed_at: null,
      author_association: 'MEMBER',
      active_lock_reason: null,
      sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
      body: 'Add something to the cart: the total is without taxes until the last page.',
      reactions: reactions(url),
      timeline_url: `${url}/timeline`,
      performed_via_github_app: null,
      state_reason: null,
    },
    repository: repository(fresh),
    sender: account(GRACE),
  };
}

function release(fresh: Fresh): Json {
  const id = fresh.number(9);
  const tag = 'v2.4.0';
  const url = `${REPOSITORY_API}/releases/${id}`;
  return {
    action: 'published',
    release: {
      url,
      assets_url: `${url}/assets`,
      upload_url: `https://uploads.github.com/repos/${FULL_NAME}/releases/${id}/assets{?name,label}`,
      html_url: `${REPOSITORY_SITE}/releases/tag/${tag}`,
      id,
      author: account(ADA),
      node_id: nodeId('RE', fresh),
      tag_name: tag,
      target_commitish: 'main',
      name: '2.4.0: taxes in the cart',
      draft: false,
      immutable: false,
      prerelease: false,
      created_at: fresh.iso(-900),
      updated_at: fresh.iso(),
      published_at: fresh.iso(),
      assets: [],
      tarball_url: `${REPOSITORY_API}/tarball/${tag}`,
      zipball_url: `${REPOSITORY_API}/zipball/${tag}`,
      body: '## What is new\n\n- The cart shows taxes\n- Totals are rounded half to even\n',
    },
    repository: repository(fresh),
    sender: account(ADA),
  };
}

function ping(fresh: Fresh, id: number): Json {
  const url = `${REPOSITORY_API}/hooks/${id}`;
  return {
    zen: 'Small commits travel far.',
    hook_id: id,
    hook: {
      type: 'Repository',
      id,
      name: 'web',
      active: true,
      events: ['push', 'pull_request'],
      config: {
        content_type: 'json',
        insecure_ssl: '0',
        url: 'https://hooks.example.com/in/github',
      },
      updated_at: fresh.iso(),
      created_at: fresh.iso(),
      url,
      test_url: `${url}/test`,
      ping_url: `${url}/pings`,
      deliveries_url: `${url}/deliveries`,
      last_response: { code: null, status: 'unused', message: null },
    },
    repository: repository(fresh),
    sender: account(ADA),
  };
}
