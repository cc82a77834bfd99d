import { CodeChoice } from '../../parts/code/code-choice.tsx';
import { snippets } from './capture-snippets.ts';

/** Ways to send a request to a capture URL, ready to run. */
export function Snippets({ url }: { url: string }) {
  return <CodeChoice choices={snippets(url)} label={(name) => `${name} example`} />;
}
