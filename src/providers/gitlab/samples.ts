import type { Fresh } from '../sampling/fresh.ts';
import type { Json, Sample, SampleContent } from '../sampling/sample.ts';
import { gitlab } from './gitlab.ts';

const DOCS = 'https://docs.gitlab.com/user/project/integrations/webhook_events/';
const INSTANCE = 'https://gitlab.example.com';
const PATH = 'example-group/webshop';
const WEB_URL = `${INSTANCE}/${PATH}`;
const GIT_SSH = `git@gitlab.example.com:${PATH}.git`;
const GIT_HTTP = `${WEB_URL}.git`;
const PROJECT_ID = 1042;

export const gitlabSamples: Sample[] = [
  sample('push', 'Push Hook', 'a commit pushed to main', `${DOCS}#push-events`, push),
  sample(
    'merge_request',
    'Merge Request Hook',
    'a merge request opened',
    `${DOCS}#merge-request-events`,
    mergeRequest,
  ),
];

/** The headers: https://docs.gitlab.com/user/project/integrations/webhooks/#delivery-headers */
function sample(
  name: string,
  event: string,
  description: string,
  source: string,
  payload: (fresh: Fresh) => Json,
): Sample {
  return {
    name: `gitlab.${name}`,
    provider: 'gitlab',
    signature: gitlab.signature,
    description,
    format: 'json',
    source,
    build: (fresh): SampleContent => {
      const deliveryId = fresh.uuid();
      return {
        payload: payload(fresh),
        headers: [
          ['Content-Type', 'application/json'],
          ['User-Agent', 'GitLab/18.10.0'],
          ['Idempotency-Key', deliveryId],
          ['X-Gitlab-Event', event],
          ['X-Gitlab-Webhook-UUID', fresh.uuid()],
          ['X-Gitlab-Instance', INSTANCE],
          ['X-Gitlab-Event-UUID', fresh.uuid()],
        ],
        deliveryId,
      };
    },
  };
}

const PROJECT = {
  id: PROJECT_ID,
  name: 'Webshop',
  description: 'The shop of Example Group',
  web_url: WEB_URL,
  avatar_url: null,
  git_ssh_url: GIT_SSH,
  git_http_url: GIT_HTTP,
  namespace: 'Example Group',
  visibility_level: 0,
  path_with_namespace: PATH,
  default_branch: 'main',
  ci_config_path: null,
  homepage: WEB_URL,
  url: GIT_SSH,
  ssh_url: GIT_SSH,
  http_url: GIT_HTTP,
};

const USER = {
  id: 51,
  name: 'Ada Example',
  username: 'ada',
  avatar_url: `${INSTANCE}/uploads/-/system/user/avatar/51/avatar.png`,
  email: 'ada@example.com',
};

function commit(fresh: Fresh, title: string, offsetS: number) {
  const id = fresh.hex(40);
  return {
    id,
    message: `${title}\n`,
    title,
    timestamp: fresh.iso(offsetS).replace('Z', '+00:00'),
    url: `${WEB_URL}/-/commit/${id}`,
    author: { name: USER.name, email: USER.email },
  };
}

function push(fresh: Fresh): Json {
  const head = {
    ...commit(fresh, 'Show taxes in the cart', -60),
    added: ['test/cart/tax.test.ts'],
    modified: ['src/cart/cart.ts'],
    removed: [],
  };
  return {
    object_kind: 'push',
    event_name: 'push',
    before: fresh.hex(40),
    after: head.id,
    ref: 'refs/heads/main',
    ref_protected: true,
    checkout_sha: head.id,
    message: null,
    user_id: USER.id,
    user_name: USER.name,
    user_username: USER.username,
    user_email: USER.email,
    user_avatar: USER.avatar_url,
    project_id: PROJECT_ID,
    project: PROJECT,
    commits: [head],
    total_commits_count: 1,
    push_options: {},
    repository: {
      name: PROJECT.name,
      url: GIT_SSH,
      description: PROJECT.description,
      homepage: WEB_URL,
      git_http_url: GIT_HTTP,
      git_ssh_url: GIT_SSH,
      visibility_level: 0,
    },
  };
}

function mergeRequest(fresh: Fresh): Json {
  const iid = 131;
  const at = fresh.iso().replace('T', ' ').replace('Z', ' UTC');
  const { id: _id, ci_config_path: _path, ...side } = PROJECT;
  const label = {
    id: 206,
    title: 'feature',
    color: '#009966',
    project_id: PROJECT_ID,
    created_at: '2025-03-02 09:14:27 UTC',
    updated_at: '2025-03-02 09:14:27 UTC',
    template: false,
    description: 'Something new',
    type: 'ProjectLabel',
    group_id: null,
  };
  const reviewer = {
    id: 52,
    name: 'Grace Example',
    username: 'grace',
    avatar_url: `${INSTANCE}/uploads/-/system/user/avatar/52/avatar.png`,
    email: '[REDACTED]',
  };
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: USER,
    project: PROJECT,
    object_attributes: {
      id: fresh.number(6),
      iid,
      target_branch: 'main',
      source_branch: 'cart-taxes',
      source_project_id: PROJECT_ID,
      author_id: USER.id,
      assignee_ids: [USER.id],
      assignee_id: USER.id,
      reviewer_ids: [reviewer.id],
      title: 'Show taxes in the cart',
      created_at: at,
      updated_at: at,
      last_edited_at: null,
      last_edited_by_id: null,
      milestone_id: null,
      state_id: 1,
      state: 'opened',
      blocking_discussions_resolved: true,
      work_in_progress: false,
      draft: false,
      first_contribution: false,
      merge_status: 'checking',
      target_project_id: PROJECT_ID,
      description: 'Customers asked what they pay before they pay it.\n\nCloses #128',
      prepared_at: at,
      total_time_spent: 0,
      time_change: 0,
      human_total_time_spent: null,
      human_time_change: null,
      human_time_estimate: null,
      url: `${WEB_URL}/-/merge_requests/${iid}`,
      source: side,
      target: side,
      last_commit: commit(fresh, 'Show taxes in the cart', -120),
      labels: [label],
      action: 'open',
      detailed_merge_status: 'checking',
    },
    labels: [label],
    changes: {},
    repository: {
      name: PROJECT.name,
      url: GIT_SSH,
      description: PROJECT.description,
      homepage: WEB_URL,
    },
    assignees: [USER],
    reviewers: [reviewer],
  };
}
