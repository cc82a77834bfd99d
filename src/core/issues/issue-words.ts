import { formatExactDuration } from '../text/duration.ts';
import { clean, counted } from '../text/words.ts';
import { isBroughtSecret } from './brought-secret.ts';
import { changesText, driftingType } from './drift-words.ts';
import { fateCount } from './event-streak.ts';
import { failureWords } from './failure-words.ts';
import type { IssueKind, NamedIssue } from './issue.ts';

/** The longest name of an endpoint or a destination in a title, characters. */
const MAX_NAME = 60;
/** A part of a path may be a secret key if it has this many characters and a digit. */
const KEY_LENGTH = 16;

/** Returns what is wrong, in a few words without a full stop: `billing answers 503`. */
export function titleOf(named: NamedIssue): string {
  return TITLES[named.issue.kind](named);
}

/** Returns the cause, as `diagnose` or the kind's text explains it. */
export function causeOf(named: NamedIssue): string {
  return named.issue.explanation?.cause ?? CAUSES[named.issue.kind](named);
}

/** Returns what to do, one step with its command a line. */
export function suggestionOf(named: NamedIssue): string {
  return named.issue.explanation?.suggestion ?? SUGGESTIONS[named.issue.kind](named).join('\n');
}

/** Returns the endpoint's name. The internal endpoint of a channel isn't named. */
function endpointName({ endpoint }: NamedIssue): string {
  return endpoint === null ? 'an endpoint' : clean(endpoint.name, MAX_NAME);
}

/** Returns the destination's name. Without a name, returns the URL without possible secrets. */
function destinationName({ destination }: NamedIssue): string {
  if (destination === null) return 'a destination';
  if (destination.name !== null) return clean(destination.name, MAX_NAME);
  const url = URL.parse(destination.url);
  return clean(url ? url.host + shownPath(url) : destination.url, MAX_NAME);
}

/** Hides parts of a path that may be keys. Some services put keys into their webhook URLs. */
function shownPath({ pathname }: URL): string {
  const parts = pathname.replace(/\/$/, '').split('/');
  return parts.map((part) => (part.length >= KEY_LENGTH && /\d/.test(part) ? '…' : part)).join('/');
}

/**
 * Returns `Slack (hooks.slack.com)` or `email (ada@example.com)`. The path of Slack's URL is
 * secret.
 */
function channelName({ channel }: NamedIssue): string {
  if (channel === null) return 'a channel';
  const type = channel.type === 'slack' ? 'Slack' : clean(channel.type);
  return `${type} (${clean(URL.parse(channel.target)?.host || channel.target, MAX_NAME)})`;
}

type Words<T> = Record<IssueKind, (named: NamedIssue) => T>;

const TITLES: Words<string> = {
  delivery: (named) => `${destinationName(named)} ${failureWords(named.issue.subject).does}`,
  verification: (named) =>
    isBroughtSecret(named.issue)
      ? `${endpointName(named)}: nobody has confirmed its secret`
      : `${endpointName(named)}: requests fail verification`,
  backlog: (named) => `${destinationName(named)}: deliveries wait too long`,
  silence: (named) => `${endpointName(named)}: no event for ${expectedText(named)}`,
  drift: (named) => `${endpointName(named)}: the payload of ${driftingType(named.issue)} changed`,
  conflict: (named) => `${endpointName(named)}: repeated requests have different bodies`,
  unjudged: (named) =>
    `${endpointName(named)}: ${counted(named.issue.count, 'event')} could not be judged`,
  uncomparable: (named) =>
    `${destinationName(named)}: its filter drops values that it can't compare`,
  alert: (named) =>
    `alerts don't arrive: ${channelName(named)} ${failureWords(named.issue.subject).does}`,
};

const CAUSES: Words<string> = {
  delivery: (named) =>
    `Deliveries of ${endpointName(named)} to ${destinationName(named)} fail. ${failureWords(named.issue.subject).means}`,
  verification: (named) =>
    isBroughtSecret(named.issue)
      ? `The source of ${endpointName(named)} had no secret, so it took the one that came with a check of the URL. Anybody who knew the capture URL could have sent it, and can now sign requests.`
      : `Of the last 20 requests to ${endpointName(named)}, half or more failed verification, and earlier ones passed. Most often the sender's signing secret has changed, somebody else sends, or the sender's keys can't be fetched.`,
  backlog: (named) =>
    `The oldest delivery to ${destinationName(named)} has waited too long: it is due and doesn't start, or its event is older than its retention.`,
  silence: (named) =>
    `${endpointName(named)} expects an event at least every ${expectedText(named)}, and none came.`,
  drift: ({ issue }) =>
    `Since ${new Date(issue.firstAt).toISOString()} payloads of ${driftingType(issue)} differ from those before: ${changesText(issue) ?? 'a member is missing, or has another type'}.`,
  conflict: (named) =>
    `Requests to ${endpointName(named)} repeat the key of an earlier event with a different body. hookrelay stores them and doesn't deliver them.`,
  unjudged: (named) =>
    `The filters of ${endpointName(named)} could not judge ${counted(named.issue.count, 'event')}: a body has too many values, or judging it takes too long. ${fateText(named.issue)}`,
  uncomparable: (named) =>
    `The filter of ${destinationName(named)} dropped ${counted(named.issue.count, 'event')} of ${endpointName(named)} because an operator can't take a value, such as a text that is no number in a comparison with a number.`,
  alert: (named) =>
    `Messages to the channel ${channelName(named)} fail. ${failureWords(named.issue.subject).means}`,
};

const SUGGESTIONS: Words<string[]> = {
  delivery: (named) => [
    ...forNewest(named, (event) => `See the answers: hookrelay events attempts ${event}`),
    `See what waits: hookrelay deliveries list ${placeOf(named)} --state pending`,
    ...forNewest(named, (event) => `Once it works, deliver again: hookrelay replay ${event}`),
  ],
  verification: (named) => (isBroughtSecret(named.issue) ? confirmation(named) : failing(named)),
  backlog: (named) => [
    `See what holds it back: hookrelay destinations get ${atDestination(named)}`,
    `See what waits: hookrelay deliveries list ${placeOf(named)} --state pending`,
    `If it is paused: hookrelay destinations resume ${atDestination(named)}`,
  ],
  silence: ({ endpoint }) => [
    'Check that the sender still sends, and that it sends to the capture URL.',
    `See the last events: hookrelay events list ${endpoint?.id}`,
    `See requests that were refused: hookrelay rejected list ${endpoint?.id}`,
  ],
  drift: (named) => [
    ...forNewest(named, (event) => `Look at an example: hookrelay events get ${event}`),
    'Compare it with an earlier event, and check that your code handles both.',
    `If the new shape is right, accept it: hookrelay issues resolve ${named.issue.id}`,
  ],
  conflict: (named) => [
    `List the repeats: hookrelay events list ${named.endpoint?.id} --duplicates only`,
    ...forNewest(named, (event) => `If one is a new event, deliver it: hookrelay replay ${event}`),
    `If the key is wrong: hookrelay endpoints edit ${named.endpoint?.id} --dedupe PATHS`,
  ],
  unjudged: ({ issue, endpoint }) => [
    ...(fateCount(issue.streak, 'held') > 0
      ? [
          `See what waits: hookrelay deliveries list ${endpoint?.id} --state pending`,
          'Send one: hookrelay deliveries retry DELIVERY',
        ]
      : []),
    ...issue.eventIds.slice(0, 1).map((event) => `Look at one: hookrelay events get ${event}`),
    ...(fateCount(issue.streak, 'delivered') > 0
      ? [`To hold such events: hookrelay endpoints edit ${endpoint?.id} --on-unjudged hold`]
      : []),
    'A filter by a header works with bodies of any size.',
    `When you are done with them: hookrelay issues resolve ${issue.id}`,
  ],
  uncomparable: (named) => [
    `See which values: hookrelay rules try ${named.endpoint?.id} --destination ${named.destination?.id}`,
    `Set a rule that takes them: hookrelay rules set ${atDestination(named)} RULE`,
    ...forNewest(named, (event) => `Then deliver what was dropped: hookrelay replay ${event}`),
    `When you are done with them: hookrelay issues resolve ${named.issue.id}`,
  ],
  alert: ({ channel }) => [
    `Try the channel: hookrelay channels test ${channel?.id}`,
    `If you no longer need it: hookrelay channels remove ${channel?.id}`,
  ],
};

function fateText({ streak }: NamedIssue['issue']): string {
  const delivered = fateCount(streak, 'delivered');
  const held = fateCount(streak, 'held');
  return [
    ...(delivered > 0
      ? [
          `${counted(delivered, 'event')} went to every destination whose filter could not judge them.`,
        ]
      : []),
    ...(held > 0 ? [`The deliveries of ${counted(held, 'event')} wait for you.`] : []),
  ].join(' ');
}

function failing({ endpoint }: NamedIssue): string[] {
  return [
    `See what fails: hookrelay source check ${endpoint?.id}`,
    `See requests that were refused: hookrelay rejected list ${endpoint?.id}`,
    `If the secret has changed: hookrelay endpoints edit ${endpoint?.id} --secret-stdin`,
  ];
}

function confirmation(named: NamedIssue): string[] {
  const { issue, endpoint } = named;
  return [
    ...forNewest(
      named,
      (event) => `See the request that brought it: hookrelay events get ${event}`,
    ),
    `Compare its last characters with the provider's: hookrelay endpoints get ${endpoint?.id}`,
    `If it is the provider's, resolve this issue to confirm it: hookrelay issues resolve ${issue.id}`,
    `If not, set the right one: hookrelay endpoints edit ${endpoint?.id} --secret-stdin`,
  ];
}

/** Returns how long the endpoint may be silent, from the issue's streak. */
function expectedText({ issue }: NamedIssue): string {
  const { expectEveryMs } = issue.streak;
  return typeof expectEveryMs === 'number' ? formatExactDuration(expectEveryMs) : 'too long';
}

function forNewest({ issue }: NamedIssue, step: (eventId: string) => string): string[] {
  const [newest] = issue.eventIds;
  return newest === undefined ? [] : [step(newest)];
}

function placeOf({ endpoint, destination }: NamedIssue): string {
  return `${endpoint?.id} --destination ${destination?.id}`;
}

function atDestination({ endpoint, destination }: NamedIssue): string {
  return `${endpoint?.id} ${destination?.id}`;
}
