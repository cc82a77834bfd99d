/** Words that Go writes in capitals. */
const INITIALISMS = new Set('api gpg html http id ip json sha ssh uri url uuid'.split(' '));

/** The words of a name: `pull_request`, `pullRequest` and `pull-request` have two. ASCII only. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}

/** `PullRequest`. Empty for a name without ASCII letters and digits. */
export function pascalCase(name: string): string {
  return wordsOf(name).map(capitalised).join('');
}

/** `PullRequestID`. */
export function goCase(name: string): string {
  return wordsOf(name)
    .map((word) => (INITIALISMS.has(word.toLowerCase()) ? word.toUpperCase() : capitalised(word)))
    .join('');
}

/** `pull_request`. */
export function snakeCase(name: string): string {
  return wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('_');
}

/** The name of one item of a list: `commits` has a `commit`. */
export function singular(name: string): string {
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : `${name} item`;
}

/** A name that `taken` hasn't, with a number where needed. It is added to `taken`. */
export function unused(name: string, taken: Set<string>): string {
  let found = name;
  for (let i = 2; taken.has(found); i++) found = `${name}${/\d$/.test(name) ? '_' : ''}${i}`;
  taken.add(found);
  return found;
}

/**
 * Returns a string literal that is valid in JavaScript, JSON and Python. Escapes every character
 * that isn't ASCII, because some end a line, and some reverse the text in an editor.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
