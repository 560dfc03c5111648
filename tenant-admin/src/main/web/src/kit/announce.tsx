import { useEffect, useRef, useState } from 'react';
import css from './kit.module.css';

/** Least time between two announcements. */
const PAUSE_MS = 10_000;

/** Reads out a text politely when it has changed, every ten seconds at most. The first one is part of the page anyway. */
export function Announce({ text }: { text: string }) {
  const [said, setSaid] = useState('');
  const last = useRef({ text, at: 0 });
  useEffect(() => {
    if (text === last.current.text) return undefined;
    const timer = setTimeout(
      () => {
        last.current = { text, at: Date.now() };
        setSaid(text);
      },
      Math.max(0, last.current.at + PAUSE_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className={css.hidden} role="status" data-said>
      {said}
    </span>
  );
}
