/** Words that Go writes in capital letters. */
const INITIALISMS = new Set('api gpg html http id ip json sha ssh uri url uuid'.split(' '));

/**
 * Returns the words of a name: `pull_request`, `pullRequest` and `pull-request` have two. ASCII
 * only.
 */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}

/**
 * Returns a name such as `PullRequest`. Returns an empty text if the name has no ASCII letters and
 * digits.
 */
export function pascalCase(name: string): string {
  return wordsOf(name).map(capitalised).join('');
}

/** Returns a name such as `PullRequestID`. */
export function goCase(name: string): string {
  return wordsOf(name)
    .map((word) => (INITIALISMS.has(word.toLowerCase()) ? word.toUpperCase() : capitalised(word)))
    .join('');
}

/** Returns a name such as `pull_request`. */
export function snakeCase(name: string): string {
  return wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('_');
}

/** Returns the name of one item of a list: an item of `commits` is a `commit`. */
export function singular(name: string): string {
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|x|[nrt]ch|tus)es$/i.test(name)) return name.slice(0, -2);
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : `${name} item`;
}

/** Returns a name that isn't in `taken`, and adds it there. It ends with a number if necessary. */
export function unused(name: string, taken: Set<string>): string {
  let found = name;
  for (let i = 2; taken.has(found); i++) found = `${name}${/\d$/.test(name) ? '_' : ''}${i}`;
  taken.add(found);
  return found;
}

/**
 * Returns a string literal that is valid in JavaScript, JSON and Python. Outside of ASCII, escapes
 * all but letters and digits: other characters may end a line, or reverse the text in an editor.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e\p{L}\p{M}\p{N}]/gu, (character) =>
    character.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
