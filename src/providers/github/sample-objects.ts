import type { Fresh } from '../sampling/fresh.ts';
import type { Json } from '../sampling/sample.ts';

/** The objects that GitHub's payloads share, with the fields of the REST API. */

const API = 'https://api.github.com';
const SITE = 'https://github.com';

export const OWNER = 'example-org';
const REPOSITORY = 'webshop';
export const FULL_NAME = `${OWNER}/${REPOSITORY}`;
export const REPOSITORY_API = `${API}/repos/${FULL_NAME}`;
export const REPOSITORY_SITE = `${SITE}/${FULL_NAME}`;

export interface Actor {
  login: string;
  id: number;
  name: string;
  email: string;
}

export const ADA: Actor = {
  login: 'ada-example',
  id: 90125871,
  name: 'Ada Example',
  email: 'ada@example.com',
};
export const GRACE: Actor = {
  login: 'grace-example',
  id: 90125899,
  name: 'Grace Example',
  email: 'grace@example.com',
};

/** Returns an id in the form of GitHub's opaque global ids. */
export function nodeId(prefix: string, fresh: Fresh): string {
  return `${prefix}_${fresh.base62(22)}`;
}

export function account(actor: Actor, type: 'User' | 'Organization' = 'User') {
  const { login, id } = actor;
  const url = `${API}/users/${login}`;
  return {
    login,
    id,
    node_id: Buffer.from(`04:${type}${id}`).toString('base64'),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${SITE}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** Paths of a repository's parts below its URL. */
const REPOSITORY_PARTS: Record<string, string> = {
  forks_url: '/forks',
  keys_url: '/keys{/key_id}',
  collaborators_url: '/collaborators{/collaborator}',
  teams_url: '/teams',
  hooks_url: '/hooks',
  issue_events_url: '/issues/events{/number}',
  events_url: '/events',
  assignees_url: '/assignees{/user}',
  branches_url: '/branches{/branch}',
  tags_url: '/tags',
  blobs_url: '/git/blobs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  git_refs_url: '/git/refs{/sha}',
  trees_url: '/git/trees{/sha}',
  statuses_url: '/statuses/{sha}',
  languages_url: '/languages',
  stargazers_url: '/stargazers',
  contributors_url: '/contributors',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  commits_url: '/commits{/sha}',
  git_commits_url: '/git/commits{/sha}',
  comments_url: '/comments{/number}',
  issue_comment_url: '/issues/comments{/number}',
  contents_url: '/contents/{+path}',
  compare_url: '/compare/{base}...{head}',
  merges_url: '/merges',
  archive_url: '/{archive_format}{/ref}',
  downloads_url: '/downloads',
  issues_url: '/issues{/number}',
  pulls_url: '/pulls{/number}',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  labels_url: '/labels{/name}',
  releases_url: '/releases{/id}',
  deployments_url: '/deployments',
};

export const REPOSITORY_ID = 718204311;
const ORGANIZATION: Actor = { login: OWNER, id: 61042988, name: OWNER, email: '' };

export function repository(fresh: Fresh) {
  const links = Object.entries(REPOSITORY_PARTS).map(([name, part]) => [
    name,
    REPOSITORY_API + part,
  ]);
  return {
    id: REPOSITORY_ID,
    node_id: 'R_kgDOKs8dlw',
    name: REPOSITORY,
    full_name: FULL_NAME,
    private: false,
    owner: account(ORGANIZATION, 'Organization'),
    html_url: REPOSITORY_SITE,
    description: 'The shop of Example Org',
    fork: false,
    url: REPOSITORY_API,
    ...(Object.fromEntries(links) as Record<string, string>),
    created_at: '2025-03-02T09:14:27Z',
    updated_at: fresh.iso(-86_400),
    pushed_at: fresh.iso(),
    git_url: `git://github.com/${FULL_NAME}.git`,
    ssh_url: `git@github.com:${FULL_NAME}.git`,
    clone_url: `${REPOSITORY_SITE}.git`,
    svn_url: REPOSITORY_SITE,
    homepage: 'https://shop.example.com',
    size: 4182,
    stargazers_count: 12,
    watchers_count: 12,
    language: 'TypeScript',
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 3,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: 7,
    license: {
      key: 'mit',
      name: 'MIT License',
      spdx_id: 'MIT',
      url: `${API}/licenses/mit`,
      node_id: 'MDc6TGljZW5zZTEz',
    },
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: ['shop', 'typescript'],
    visibility: 'public',
    forks: 3,
    open_issues: 7,
    watchers: 12,
    default_branch: 'main',
    custom_properties: {},
  } satisfies Json;
}

export function label(name: string, color: string, description: string) {
  return {
    id: 6120488211,
    node_id: 'LA_kwDOKs8dl88AAAABbM1XUw',
    url: `${REPOSITORY_API}/labels/${name}`,
    name,
    color,
    default: true,
    description,
  };
}

export function reactions(url: string) {
  return {
    url: `${url}/reactions`,
    total_count: 0,
    '+1': 0,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  };
}
