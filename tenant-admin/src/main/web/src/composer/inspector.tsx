import type { Editor } from '@tiptap/core';
import { useId } from 'react';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import css from './composer.module.css';
import { cleanFallback } from './extensions';
import { address } from './render';

/** Settings of the block, the placeholder or the link of the selection. */
export function Inspector({
  editor,
  variables,
  onReplace,
}: {
  editor: Editor;
  variables: readonly string[];
  onReplace: () => void;
}) {
  const names = useId();
  const kind = ['variable', 'image', 'button', 'link', 'footer'].find((type) => editor.isActive(type));
  if (!kind) return null;
  const values = editor.getAttributes(kind) as Record<string, string | number | boolean | null>;
  const set = (change: Record<string, unknown>) => {
    if (kind === 'link') editor.chain().extendMarkRange('link').updateAttributes('link', change).run();
    else editor.commands.updateAttributes(kind, change);
  };
  const field = (name: string) => ({
    value: String(values[name] ?? ''),
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target: { value } }: { target: { value: string } }) => set({ [name]: value }),
  });
  const href = String(values['href'] ?? '');
  const wrong =
    href !== '' && href !== 'https://' && address(href) === undefined ? 'No complete address.' : undefined;
  return (
    <div className={css.inspector} role="group" aria-label="Settings of the selection">
      {kind === 'variable' ? (
        <>
          <TextField
            label="Placeholder"
            help="A property of the contact."
            list={names}
            error={
              /^[\w.-]{1,64}$/.test(String(values['name'])) ? undefined : 'Letters, digits, _, - and . only.'
            }
            {...field('name')}
          />
          <datalist id={names}>
            {variables.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
          <TextField
            label="Fallback"
            optional
            help="Shown where the contact has no value."
            {...field('fallback')}
            onChange={(event) => set({ fallback: cleanFallback(event.target.value) })}
          />
        </>
      ) : null}
      {kind === 'image' ? (
        <>
          <TextField
            label="Alternative text"
            help="Says what the image shows."
            {...field('alt')}
            spellCheck
          />
          <TextField label="Link of the image" optional error={wrong} {...field('href')} />
          <TextField
            label="Width"
            optional
            help="Pixels, or as wide as possible."
            inputMode="numeric"
            {...field('width')}
            onChange={({ target: { value } }) => {
              const width = Math.min(536, Number(value.replace(/\D/g, '')));
              set({ width: width > 0 ? width : null });
            }}
          />
          <Button onClick={onReplace}>Replace image</Button>
        </>
      ) : null}
      {kind === 'button' ? (
        <TextField label="Address of the button" error={wrong} {...field('href')} />
      ) : null}
      {kind === 'link' ? <TextField label="Address of the link" error={wrong} {...field('href')} /> : null}
      {kind === 'footer' ? (
        <>
          <label className={css.check}>
            <input
              type="checkbox"
              checked={values['unsubscribe'] !== false}
              onChange={(event) => set({ unsubscribe: event.target.checked })}
            />
            Link to unsubscribe
          </label>
          {values['unsubscribe'] === false ? null : (
            <TextField label="Text of the link" {...field('label')} />
          )}
        </>
      ) : null}
    </div>
  );
}
