import type { ComponentChildren } from 'preact';

interface LimitChoiceProps {
  /** The label of the checkbox: `Only some endpoints`. */
  text: string;
  isLimited: boolean;
  /** What is wrong with the chosen limits. */
  fault: string | null;
  onChange(isLimited: boolean): void;
  children: ComponentChildren;
}

/** A checkbox that limits something. While it is checked, the limits appear below. */
export function LimitChoice({ text, isLimited, fault, onChange, children }: LimitChoiceProps) {
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={isLimited}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {text}
      </label>
      {isLimited && children}
      {isLimited && fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
