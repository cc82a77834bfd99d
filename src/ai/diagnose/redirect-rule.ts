import { clean, quoted } from '../../core/text/words.ts';
import { shellQuoted } from './case.ts';
import type { Answered, Finding } from './rule.ts';
import { moveStep } from './steps.ts';

const LOGIN_HOST =
  /(^|\.)(cloudflareaccess\.com|login\.microsoftonline\.com|accounts\.google\.com|auth0\.com|okta\.com)$/i;
const LOGIN_PATH =
  /(^|[/_-])(log[_-]?in|sign[_-]?in|sso|sso-api|session|auth|authorize|oauth2?)([/_-]|$)/i;
const NEVER_FOLLOWED = 'hookrelay never follows one: it would lose the body or lead elsewhere.';

/** The finding for a redirect. Its `Location` shows what is wrong with the URL. */
export function redirectFinding({ status, header, url, event }: Answered): Finding<Answered> {
  const location = header('location');
  const from = URL.parse(url);
  const to = from && location ? URL.parse(location, from) : null;
  if (!from || !to) return withoutLocation(status);
  const leads = `The service answers with a redirect (${status}) to ${quoted(location, 200)}. ${NEVER_FOLLOWED}`;
  if (LOGIN_HOST.test(to.hostname) || LOGIN_PATH.test(to.pathname)) {
    return {
      isLasting: true,
      cause: `${leads} It leads to a login page: the service wants a session, which no webhook has.`,
      steps: ["Exempt the webhook's path from the login, and check a signature there instead."],
    };
  }
  const difference = differenceOf(from, to, event.path);
  const say = difference ? 'Take the URL that it leads to' : 'If that place is yours';
  return {
    isLasting: true,
    cause: `${leads} ${difference ?? 'The site has moved, or it redirects unknown requests to another page.'}`,
    steps: [moveStep(say, shellQuoted(destinationUrlOf(from, to, event.path)))],
  };
}

function withoutLocation(status: number): Finding<Answered> {
  const isLogin = status === 302 || status === 303 || status === 307;
  return {
    isLasting: true,
    cause: `The service answers with a redirect (${status}), without a Location that can be read. ${NEVER_FOLLOWED} Usual reasons: a trailing slash too many or too few, www or not, ${isLogin ? 'or a login page that wants a session.' : 'or a site that has moved.'}`,
    steps: [
      ({ event, quotedUrl }) =>
        `See where it leads: curl -sI -m 10 -X ${clean(event.method, 20)} ${quotedUrl} | grep -i '^location'`,
      moveStep('Make the final URL the destination'),
    ],
  };
}

/**
 * Returns the difference of two URLs that mean the same place, or null if they mean different
 * places.
 */
function differenceOf(from: URL, to: URL, subPath: string): string | null {
  const bare = (host: string): string => host.replace(/^www\./, '');
  if (bare(from.hostname) !== bare(to.hostname)) return null;
  const ends = (url: URL): string => url.pathname.replace(/\/+$/, '');
  const sent = ends(from) + subPath.replace(/\/+$/, '');
  if (ends(to) !== sent && ends(to) !== ends(from)) return null;
  const texts: string[] = [];
  if (from.protocol !== to.protocol) texts.push('https: instead of http:');
  if (from.hostname !== to.hostname) {
    texts.push(`the name ${to.hostname} instead of ${from.hostname}`);
  }
  if (subPath === '' && from.pathname !== to.pathname) {
    texts.push(to.pathname.endsWith('/') ? 'a slash at the end' : 'no slash at the end');
  }
  return texts.length === 0 ? null : `It wants ${texts.join(', and ')}.`;
}

/**
 * Returns the URL to set: the redirect's target without the event's sub-path, because deliveries
 * append that sub-path.
 */
function destinationUrlOf(from: URL, to: URL, subPath: string): string {
  const url = new URL(to);
  if (subPath !== '' && url.pathname.endsWith(subPath)) {
    url.pathname = url.pathname.slice(0, -subPath.length);
  }
  if (from.search === '') url.search = '';
  url.hash = '';
  return url.href;
}
