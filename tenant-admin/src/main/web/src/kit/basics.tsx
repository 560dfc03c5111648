/** Buttons, statuses, times and other small parts of every page. */
import { useClipboard } from '@mantine/hooks';
import { Check, CircleAlert, Copy, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import type { Right } from '../gen/graphql';
import { exact, full, shortId, time } from '../words/formats';
import type { Tone, Word } from '../words/status';
import css from './kit.module.css';
import { useRights } from './rights';

export const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The names of CSS classes that apply. */
export function cx(...names: (string | false | undefined | null)[]): string {
  return names.filter(Boolean).join(' ');
}

const tones: Record<Tone, string> = {
  mute: css.mute!,
  info: css.info!,
  good: css.good!,
  warn: css.warn!,
  bad: css.wrongTone!,
  plum: css.plum!,
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly kind?: 'main' | 'bad' | 'badMain' | 'bare' | undefined;
  readonly small?: boolean;
  /** Shows the icon only: the label is read out and shown as a title. */
  readonly iconOnly?: boolean;
  readonly wide?: boolean;
  readonly busy?: boolean;
  readonly icon?: LucideIcon | undefined;
  /** The right without which the button is left out. */
  readonly needs?: Right | undefined;
}

/** A button. While busy it shows that in place and takes no clicks. */
export function Button({
  kind,
  small,
  iconOnly,
  wide,
  busy = false,
  icon: Icon,
  needs,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const { may } = useRights();
  if (!may(needs)) return null;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      className={buttonClass({ kind, small, iconOnly, wide }, className)}
      title={iconOnly ? rest['aria-label'] : rest.title}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? (
        <span className={css.spin} aria-hidden />
      ) : Icon ? (
        <Icon {...ICON} size={small ? 14 : 16} />
      ) : null}
      {children}
    </button>
  );
}

/** The classes of a button, for links that look like one. */
export function buttonClass(
  { kind, small, iconOnly, wide }: Pick<ButtonProps, 'kind' | 'small' | 'iconOnly' | 'wide'>,
  more?: string,
): string {
  return cx(
    css.button,
    kind === 'main' && css.main,
    kind === 'bad' && css.bad,
    kind === 'badMain' && css.badMain,
    kind === 'bare' && css.bare,
    small && css.small,
    iconOnly && css.icon,
    wide && css.wide,
    more,
  );
}

/** A status: icon, word and tone; tinted where it stands alone. */
export function Status({ word, chip = false }: { word: Word; chip?: boolean }) {
  const Icon = word.icon;
  return (
    <span className={cx(chip ? css.chip : css.status, tones[word.tone])}>
      <Icon {...ICON} size={chip ? 13 : 15} strokeWidth={chip ? 2.25 : 2} />
      {word.text}
    </span>
  );
}

/** A time in the account's zone, with the zone and UTC in its title. */
export function Time({ at, precise = false }: { at: string; precise?: boolean }) {
  return (
    <time className={css.num} dateTime={at} title={full(at)}>
      {precise ? exact(at) : time(at)}
    </time>
  );
}

/** A text in monospace that a click copies. */
export function CopyText({ text, shown = text, label }: { text: string; shown?: ReactNode; label?: string }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <button
      type="button"
      className={css.copy}
      aria-label={label ?? `Copy ${typeof shown === 'string' ? shown : text}`}
      title={`Copy ${text}`}
      onClick={() => clipboard.copy(text)}
    >
      <span>{shown}</span>
      {clipboard.copied ? <Check {...ICON} size={13} /> : <Copy {...ICON} size={13} />}
    </button>
  );
}

/** An id, shortened in lists. */
export function Id({ id, short = false }: { id: string; short?: boolean }) {
  return <CopyText text={id} shown={short ? shortId(id) : id} />;
}

/** A button that copies a text. */
export function CopyButton({
  text,
  label,
  small = true,
  children,
}: {
  text: string;
  label: string;
  small?: boolean;
  children?: ReactNode;
}) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <Button
      kind="bare"
      small={small}
      iconOnly={!children}
      aria-label={label}
      icon={clipboard.copied ? Check : Copy}
      onClick={() => clipboard.copy(text)}
    >
      {children}
    </Button>
  );
}

/** A command or a program, with a button that copies it. */
export function Code({ text, label, wrap = false }: { text: string; label: string; wrap?: boolean }) {
  return (
    <div className={cx(css.code, wrap && css.fold)}>
      <pre tabIndex={0} aria-label={label} role="region">
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

const noteIcons: Partial<Record<Tone, LucideIcon>> = { warn: TriangleAlert, bad: CircleAlert, good: Check };

/** A message beside what it concerns. */
export function Note({
  tone,
  children,
  alert = false,
}: {
  tone: 'warn' | 'bad' | 'good' | 'info';
  children: ReactNode;
  alert?: boolean;
}) {
  const Icon = noteIcons[tone] ?? Info;
  return (
    <div className={cx(css.note, tones[tone])} role={alert ? 'alert' : undefined}>
      <Icon {...ICON} size={17} strokeWidth={2} />
      <div>{children}</div>
    </div>
  );
}

/** A box with a heading. */
export function Box({
  title,
  side,
  children,
  padded = false,
  label,
}: {
  title?: string;
  side?: ReactNode;
  children?: ReactNode;
  padded?: boolean;
  label?: string;
}) {
  return (
    <section className={css.box} aria-label={label ?? title}>
      {title ? (
        <div className={css.boxHead}>
          <h2>{title}</h2>
          {side ? <div className={css.side}>{side}</div> : null}
        </div>
      ) : null}
      {padded ? <div className={css.boxBody}>{children}</div> : children}
    </section>
  );
}

/** Names and values. */
export function Facts({
  items,
}: {
  items: readonly (readonly [string, ReactNode] | false | null | undefined)[];
}) {
  return (
    <dl className={css.facts}>
      {items.map((item) =>
        item ? [<dt key={item[0]}>{item[0]}</dt>, <dd key={`${item[0]} value`}>{item[1]}</dd>] : null,
      )}
    </dl>
  );
}

/** An on/off switch, which shows its state to readers without the right too. */
export function Switch({
  on,
  label,
  needs,
  onChange,
}: {
  on: boolean;
  label: string;
  needs?: Right;
  onChange: (on: boolean) => void;
}) {
  const rights = useRights();
  const permitted = rights.may(needs);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-disabled={!permitted || undefined}
      title={needs ? (rights.refusal(needs) ?? undefined) : undefined}
      className={css.switch}
      onClick={() => {
        if (permitted) onChange(!on);
      }}
    />
  );
}

/** A choice of a few values. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; text: string; icon?: LucideIcon }[];
  onChange: (value: T) => void;
}) {
  return (
    <div className={css.seg} role="group" aria-label={label}>
      {options.map(({ value: option, text, icon: Icon }) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {Icon ? <Icon {...ICON} size={14} /> : null}
          {text}
        </button>
      ))}
    </div>
  );
}
