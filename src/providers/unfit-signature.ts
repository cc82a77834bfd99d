import type { Source } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import { customScheme } from './own-sources/custom.ts';
import { providerOf } from './providers.ts';
import type { SignedPart } from './signing/signature-scheme.ts';
import { headerOf } from './signing/signed-request.ts';

/** The header of Standard Webhooks, which several providers use. */
const STANDARD = 'webhook-signature';

/** An event whose copy is edited. */
interface SignedEvent {
  provider: string | null;
  verification: Verification;
  /** Name, value, name, value … */
  rawHeaders: readonly string[];
}

/** What an edit changes. */
interface SignedEdits {
  isBodyEdited: boolean;
  isUrlEdited: boolean;
  isMethodEdited: boolean;
  /** Names of the edited headers. */
  headers: readonly string[];
}

/**
 * Returns the header with the sender's signature, if it no longer fits the edited copy. Returns
 * null if the copy has no such header, if the edit gives it a new value, or if it is a token, which
 * fits any request.
 *
 * Nothing is verified here: without a source there is no secret. So a signature counts as one that
 * fits the original, unless the verification says that it doesn't cover the body.
 */
export function unfitSignature(
  { provider, verification, rawHeaders }: SignedEvent,
  source: Source | null,
  edits: SignedEdits,
): string | null {
  if (verification.state === 'authenticated') return null;
  const sender = verification.provider ?? provider;
  const known = providerOf(sender);
  const custom = source?.provider === sender ? (source?.scheme ?? null) : null;
  const scheme = custom ? customScheme(custom) : known?.signature?.scheme;
  const own = scheme?.header ?? known?.signature?.header ?? STANDARD;
  // GitLab sends a token, or a signature in the standard header.
  const header = [own, STANDARD].find((name) => headerOf({ rawHeaders }, name) !== null);
  const isToken = !custom && known?.proof?.grade === 'authenticated';
  if (header === undefined || isToken || /-token$/i.test(header)) return null;
  const edited = edits.headers.map((name) => name.toLowerCase());
  if (edited.includes(header.toLowerCase())) return null;
  const isCovered = (part: SignedPart): boolean => {
    if (part === 'method') return edits.isMethodEdited;
    if (typeof part === 'string' || !('header' in part)) return false;
    return edited.includes(part.header.toLowerCase());
  };
  const isUnfit =
    edits.isBodyEdited ||
    (edits.isUrlEdited && (scheme?.signed.includes('url') ?? known?.proof?.coversUrl === true)) ||
    scheme?.signed.some(isCovered);
  return isUnfit ? header : null;
}
