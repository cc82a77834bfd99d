interface OptionsProps {
  of: readonly (readonly [value: string, text: string])[];
  initial: string;
}

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
