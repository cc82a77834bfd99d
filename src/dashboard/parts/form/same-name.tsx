interface SameNameProps {
  /** The name as typed; null or undefined if it doesn't change. */
  name: string | null | undefined;
  what: 'endpoint' | 'destination';
  /** Without the one that gets the name. Null while they load. */
  others: readonly { name: string | null }[] | null;
}

/** Warns as soon as a typed name is another one's. It may be saved all the same. */
export function SameName({ name, what, others }: SameNameProps) {
  const text = name?.trim() ?? '';
  const isTaken = text !== '' && others?.some((one) => one.name === text);
  return (
    <div role="status">
      {isTaken && (
        <p class="weak">Another {what} has this name already: the command line needs their ids.</p>
      )}
    </div>
  );
}
