/** A button that opens a list of ticks. */
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { buttonClass, cx, ICON } from './basics';
import css from './choices.module.css';

export function Choices<T extends string>({
  icon: Icon,
  text,
  label,
  choices,
  chosen,
  end = false,
  onChange,
}: {
  icon: LucideIcon;
  text: string;
  label: string;
  choices: readonly (readonly [T, string])[];
  chosen: readonly T[];
  /** Whether the list ends below the end of the button. */
  end?: boolean;
  onChange: (chosen: readonly T[]) => void;
}) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const press = (event: PointerEvent) => {
      if (box.current?.open && !box.current.contains(event.target as Node)) box.current.open = false;
    };
    window.addEventListener('pointerdown', press);
    return () => window.removeEventListener('pointerdown', press);
  }, []);
  return (
    <details
      ref={box}
      className={cx(css.choices, end && css.end)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !box.current?.open) return;
        event.stopPropagation();
        box.current.open = false;
        box.current.querySelector('summary')?.focus();
      }}
    >
      <summary className={buttonClass({})}>
        <Icon {...ICON} />
        {text}
      </summary>
      <fieldset>
        <legend>{label}</legend>
        {choices.map(([value, name]) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() =>
                onChange(
                  chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value],
                )
              }
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
