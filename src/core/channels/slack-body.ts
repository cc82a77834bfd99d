import type { Notice } from './notice.ts';

/** Slack's limits, characters (Block Kit reference: header, section; `text` of a message). */
const MOST = { header: 150, section: 3000, text: 4000 };

/** The Block Kit blocks of our messages. */
type SlackBlock =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: PlainText }
  | { type: 'context'; elements: { type: 'mrkdwn'; text: string; verbatim: true }[] };

interface PlainText {
  type: 'plain_text';
  text: string;
  /** False shows `:name:` as text. */
  emoji: false;
}

export interface SlackBody {
  /** The text for notifications and for clients without blocks. */
  text: string;
  blocks: SlackBlock[];
  mrkdwn: false;
  unfurl_links: false;
  unfurl_media: false;
}

/**
 * Returns the body of a request to a Slack webhook. Text from strangers goes only into
 * `plain_text`. Slack reads no markup and no mentions there. The only link leads to hookrelay.
 */
export function slackBody({ title, paragraphs, steps, link }: Notice): string {
  const texts = [paragraphs.join('\n'), steps].filter((text) => text !== '');
  const body: SlackBody = {
    text: escaped(title, MOST.text),
    blocks: [
      { type: 'header', text: plain(title, MOST.header) },
      ...texts.map((text) => ({ type: 'section' as const, text: plain(text, MOST.section) })),
      ...(link === null ? [] : [linkBlock(link)]),
    ],
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  };
  return JSON.stringify(body);
}

function linkBlock({ label, url }: { label: string; url: string }): SlackBlock {
  const text = `<${new URL(url).href.replaceAll('|', '%7C').replaceAll('>', '%3E')}|${label}>`;
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] };
}

function plain(text: string, most: number): PlainText {
  return { type: 'plain_text', text: escaped(text, most), emoji: false };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes Slack's control characters ("Formatting text for app surfaces"), so that `<!channel>`
 * stays text. Shortens the text to `most` characters without cutting an entity or a character.
 */
function escaped(text: string, most: number): string {
  let length = 0;
  let kept = '';
  for (const character of text) {
    const spelled = ENTITIES[character] ?? character;
    length += spelled.length;
    if (length >= most) return `${kept}…`;
    kept += spelled;
  }
  return kept;
}
