/** The name for events of an unknown sender. */
const FALLBACK = 'WebhookPayload';
const MAX_LENGTH = 60;

/** Providers whose name is that of a protocol, and not of a sender. */
const NAMELESS = new Set(['standard-webhooks', 'svix']);

/**
 * Returns the name of the type of a provider's events, such as `GithubPushEvent` or
 * `ShopifyOrdersCreateEvent`. It consists of ASCII letters and digits, and doesn't begin with a
 * digit.
 */
export function typeName(provider: string | null, eventType: string | null): string {
  const sender = provider === null || NAMELESS.has(provider) ? [] : words(provider);
  let type = words(eventType ?? '');
  // GitLab's types end in "Hook", such as "Push Hook".
  if (/^(?:hook|event)$/i.test(type.at(-1) ?? '')) type = type.slice(0, -1);
  if (sender.length + type.length === 0) return FALLBACK;
  const name = [...sender, ...type].join('').slice(0, MAX_LENGTH);
  return /^\d/.test(name) ? `Webhook${name}Event` : `${name}Event`;
}

function words(text: string): string[] {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
}
