/** HTML of a mail that is not stored, in a sandbox: a form posts it to the server, whose answer has a policy of its own. */
import { useEffect, useRef, useState } from 'react';
import { cx } from './basics';
import css from './mail-frame.module.css';
import type { FrameView } from './views';

interface Version {
  readonly number: number;
  readonly html: string;
}

/**
 * The newest HTML. The one before stays until it is loaded, so that nothing flickers, and each has a frame of its own,
 * so that the history of the browser gets no entries.
 */
export function MailFrame({
  html,
  url,
  title,
  view,
}: {
  html: string;
  url: () => Promise<string>;
  title: string;
  view: FrameView;
}) {
  const [versions, setVersions] = useState<readonly Version[]>([{ number: 0, html }]);
  useEffect(
    () =>
      setVersions((old) =>
        old.at(-1)!.html === html ? old : [...old.slice(0, 1), { number: old.at(-1)!.number + 1, html }],
      ),
    [html],
  );
  const loaded = (number: number) => setVersions((old) => old.filter((version) => version.number >= number));
  return (
    <div className={css.stage} data-view={view}>
      {versions.map((version, index) => (
        <Frame
          key={version.number}
          version={version}
          url={url}
          title={title}
          waiting={index > 0}
          onLoaded={() => loaded(version.number)}
        />
      ))}
    </div>
  );
}

function Frame({
  version,
  url,
  title,
  waiting,
  onLoaded,
}: {
  version: Version;
  url: () => Promise<string>;
  title: string;
  waiting: boolean;
  onLoaded: () => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const posted = useRef(false);
  const name = `mail-${version.number}`;
  useEffect(() => {
    let ended = false;
    void url().then(
      (action) => {
        if (ended || !frame.current) return;
        posted.current = true;
        post(action, name, version.html);
      },
      () => undefined,
    );
    return () => {
      ended = true;
    };
  }, []); // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <iframe
      ref={frame}
      name={name}
      sandbox=""
      title={title}
      aria-hidden={waiting || undefined}
      tabIndex={waiting ? -1 : undefined}
      className={cx(css.mail, waiting && css.waiting)}
      onLoad={() => {
        if (posted.current) onLoaded();
      }}
    />
  );
}

function post(action: string, target: string, html: string): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', enctype: 'text/plain', acceptCharset: 'utf-8', action, target });
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: 'html', value: html });
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
}
