import { counted, listed, opt } from '../words.ts';
import { type Describe, sentences, worded } from './describe.ts';

/** Who acted, most certain first: a comment or worklog event has no user beside it. */
const JIRA_ACTORS = [
  'user.displayName',
  'comment.updateAuthor.displayName',
  'comment.author.displayName',
  'worklog.updateAuthor.displayName',
  'worklog.author.displayName',
  'user.name',
  'user.accountId',
];

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
export const describeJira: Describe = ({ facts, type }) => {
  const kind = facts.text('webhookEvent') ?? type;
  if (kind === null) return [];
  const fields = facts.at('issue.fields');
  const changes = facts
    .items('changelog.items')
    .map(
      (item) =>
        `${item.text('field') ?? '?'} from ${item.quote('fromString') ?? 'nothing'} to ${item.quote('toString') ?? 'nothing'}`,
    );
  return sentences(
    `${opt`${facts.first(...JIRA_ACTORS)}: `}${worded(kind.replace(/^jira:/, ''))}${opt`, ${facts.text('issue.key')}`}${opt` ${fields.quote('summary')}`} in Jira.`,
    opt`It is ${fields.text('status.name')}${opt`, priority ${fields.text('priority.name')}`}${opt`, assigned to ${fields.text('assignee.displayName')}`}.`,
    changes.length > 0 && `What changed: ${listed(changes, 4)}.`,
    opt`The comment: ${facts.quote('comment.body', 160)}.`,
  );
};

/** https://developer.pagerduty.com/docs/webhooks-overview */
export const describePagerduty: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const data = facts.at('event.data');
  return sentences(
    `PagerDuty tells of ${type}${opt`: incident #${data.text('number')}`}${opt` ${data.quote('title') ?? data.quote('summary')}`}${opt` is ${data.text('status')}`}.`,
    opt`It concerns the service ${data.text('service.summary')}${opt`, urgency ${data.text('urgency')}`}${opt`, assigned to ${data.text('assignees.0.summary')}`}.`,
    opt`It happened ${facts.time('event.occurred_at')}${opt`, by ${facts.text('event.agent.summary')}`}.`,
  );
};

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const describeSentry: Describe = ({ facts, type }) => {
  const action = facts.text('action');
  const issue = facts.has('data.issue') ? facts.at('data.issue') : facts.at('data.event');
  if (!facts.has('data')) return [];
  return sentences(
    `Sentry tells of ${worded(type ?? 'something')}${opt` (${action})`}${opt`: ${issue.quote('title') ?? issue.quote('message')}`}${opt` in ${issue.first('culprit', 'project.slug', 'project')}`}.`,
    opt`It is ${issue.text('shortId')}${opt`, level ${issue.text('level')}`}${opt`, seen ${issue.counted('count', 'time')}`}${opt`, status ${issue.text('status')}`}.`,
    opt`See ${issue.first('web_url', 'permalink', 'url')}.`,
  );
};

/** https://vercel.com/docs/webhooks/webhooks-api */
export const describeVercel: Describe = ({ facts }) => {
  const kind = facts.text('type');
  if (kind === null) return [];
  const payload = facts.at('payload');
  return sentences(
    `Vercel tells of ${kind}${opt` of the project ${payload.first('name', 'deployment.name', 'project.name')}`}${opt`, target ${payload.text('target')}`}.`,
    opt`The deployment is ${payload.first('deployment.url', 'url')}${opt` (${payload.text('deployment.id')})`}.`,
    opt`It comes from the commit ${payload.quote('deployment.meta.githubCommitMessage', 80)}${opt` by ${payload.text('deployment.meta.githubCommitAuthorName')}`}.`,
  );
};

/** https://developer.calendly.com/api-docs/ZG9jOjE2OTgxMzQ1-webhook-subscriptions */
export const describeCalendly: Describe = ({ facts, type }) => {
  const payload = facts.at('payload');
  const kind = facts.text('event') ?? type;
  if (kind === null) return [];
  const happened = kind.startsWith('invitee.') ? worded(kind.slice(8)) : worded(kind);
  return sentences(
    `Calendly tells of ${kind}: ${payload.text('name') ?? 'somebody'}${opt` (${payload.text('email')})`} ${happened === 'canceled' ? 'cancelled' : happened === 'created' ? 'booked' : happened}${opt` ${payload.quote('scheduled_event.name')}`}.`,
    opt`It starts ${payload.time('scheduled_event.start_time')}${opt` and ends ${payload.time('scheduled_event.end_time')}`}${opt`, in the invitee's time zone ${payload.text('timezone')}`}.`,
    opt`The reason given: ${payload.quote('cancellation.reason')}.`,
  );
};

/** https://www.typeform.com/developers/webhooks/example-payload/ */
export const describeTypeform: Describe = ({ facts }) => {
  const response = facts.at('form_response');
  if (!response.has('form_id')) return [];
  const answers = response.items('answers', 4).map((answer, index) => {
    const title = response.quote(`definition.fields.${index}.title`, 60);
    const kind = answer.text('type') ?? '';
    const { value } = answer.at(kind);
    const text =
      typeof value === 'object' ? answer.text(`${kind}.label`, 60) : answer.text(kind, 60);
    return opt`${title}: ${text}`;
  });
  return sentences(
    `Somebody filled in the form${opt` ${response.quote('definition.title')}`} (${response.text('form_id')}) with ${counted(response.count('answers'), 'answer')}${opt` at ${response.time('submitted_at')}`}.`,
    answers.some((text) => text !== '') &&
      `They say ${listed(answers.filter((text) => text !== ''))}.`,
    opt`It is response ${response.text('token')}.`,
  );
};

/** https://clerk.com/docs/webhooks/overview, sent through Svix */
export const describeClerk: Describe = ({ facts }) => {
  const kind = facts.text('type');
  if (kind === null) return [];
  const data = facts.at('data');
  const name = [data.text('first_name'), data.text('last_name')].filter((part) => part !== null);
  const email = data.first('email_addresses.0.email_address', 'email_address');
  return sentences(
    `Clerk tells of ${kind}: the ${worded(data.text('object') ?? kind.split('.')[0] ?? 'object')} ${data.text('id') ?? ''}${opt` of ${name.join(' ') || null}`}${opt` (${email})`}.`,
    opt`It belongs to the instance ${facts.text('instance_id')}.`,
  );
};

/** Prometheus' Alertmanager and Grafana send the same shape. */
export const describeAlerts: Describe = ({ facts }) => {
  const alerts = facts.items('alerts', 100);
  if (alerts.length === 0) return [];
  const names = [...new Set(alerts.flatMap((alert) => alert.text('labels.alertname') ?? []))];
  return sentences(
    `${counted(facts.count('alerts'), 'alert')} ${facts.count('alerts') === 1 ? 'is' : 'are'} ${facts.text('status') ?? 'changed'}: ${listed(names)}.`,
    opt`The first says ${alerts[0]?.quote('annotations.summary', 160) ?? alerts[0]?.quote('annotations.description', 160)}${opt`, since ${alerts[0]?.time('startsAt') ?? null}`}.`,
    opt`They go to the receiver ${facts.text('receiver')}.`,
  );
};

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export const describeSns: Describe = ({ facts }) => {
  const topic = facts.text('TopicArn')?.split(':').at(-1) ?? '?';
  if (facts.is('Type', 'SubscriptionConfirmation')) {
    return [
      `Amazon SNS asks whether this URL wants the messages of the topic ${topic}.`,
      'Nothing comes until somebody opens the SubscribeURL in the body.',
    ];
  }
  return sentences(
    `Amazon SNS passes on a message of the topic ${topic}${opt`: ${facts.quote('Subject')}`}${opt`, ${facts.quote('Message', 200)}`}.`,
    opt`It is message ${facts.text('MessageId')} of ${facts.time('Timestamp')}.`,
  );
};
