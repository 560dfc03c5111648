import type { CSSProperties } from 'react';
import css from './brand.module.css';
import { isColour, isReadable, textOn } from '../words/colour';

const words = {
  EN: {
    title: 'Unsubscribe?',
    text: 'You will no longer receive mail sent to the list “Newsletter”.',
    button: 'Unsubscribe',
    link: 'All lists of this sender',
  },
  DE: {
    title: 'Abmelden?',
    text: 'Sie erhalten dann keine E-Mails mehr, die an die Liste „Newsletter“ gesendet werden.',
    button: 'Abmelden',
    link: 'Alle Listen dieses Absenders',
  },
} as const;

interface Look {
  readonly name: string;
  readonly colour: string;
  readonly footer: string;
  readonly languages: string;
  readonly logo: string;
}

/** The unsubscribe page with settings that need not be saved, in light and in dark. */
export function Preview(look: Look) {
  return (
    <section className={css.previews} aria-label="Preview of the unsubscribe page">
      <PreviewPage {...look} theme="light" />
      <PreviewPage {...look} theme="dark" />
    </section>
  );
}

function PreviewPage({ name, colour, footer, languages, logo, theme }: Look & { theme: 'light' | 'dark' }) {
  const language = languages.startsWith('DE') ? 'DE' : 'EN';
  const text = words[language];
  const style = (
    isColour(colour)
      ? {
          '--main': colour,
          '--on-main': textOn(colour),
          '--link': isReadable(colour, theme) ? colour : 'var(--ink)',
        }
      : {}
  ) as CSSProperties;
  return (
    <div data-preview={theme} className={css.page} style={style} lang={language.toLowerCase()}>
      {logo ? <img className={css.logo} src={logo} alt={name} /> : <strong>{name}</strong>}
      <div>
        <p className={css.title}>{text.title}</p>
        <p>{text.text}</p>
        <p>
          <span className={css.button}>{text.button}</span>
        </p>
        <p>
          <span className={css.link}>{text.link}</span>
        </p>
      </div>
      {footer.trim() ? <p className={css.footer}>{footer.trim()}</p> : null}
    </div>
  );
}
