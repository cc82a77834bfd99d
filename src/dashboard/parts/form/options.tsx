interface OptionsProps {
  of: readonly (readonly [value: string, text: string])[];
  initial: string;
}

/** The options of a `select` that keeps its own value, as a field with a default does. */
export function Options({ of, initial }: OptionsProps) {
  return (
    <>
      {of.map(([value, text]) => (
        <option key={value} value={value} selected={value === initial}>
          {text}
        </option>
      ))}
    </>
  );
}
