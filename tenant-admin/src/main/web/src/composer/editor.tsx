/** An editor for emails that consist of blocks. It is a chunk of its own: load it lazily. */
import { Editor, type JSONContent } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { Italic } from '@tiptap/extension-italic';
import { Link } from '@tiptap/extension-link';
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';
import { Dropcursor, Gapcursor, Placeholder, UndoRedo } from '@tiptap/extensions';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { SelectField, TextField } from '../kit/fields';
import { explained, Rest } from '../kit/problems';
import { isColour, textOn } from '../words/colour';
import { insertBlock } from './blocks';
import css from './composer.module.css';
import { Alignment, ButtonBlock, Column, Columns, Divider, Footer, ImageBlock, Variable } from './extensions';
import { ImagePicker, TYPES } from './image-picker';
import { Inspector } from './inspector';
import { NEUTRAL, type Block, type Font, type Letter } from './letter';
import { base64, MAX_IMAGE, uploadImage } from './queries';
import { written, type Written } from './render';
import { Toolbar } from './toolbar';

export interface BlockEditorProps {
  readonly letter: Letter;
  readonly onChange: (letter: Letter, content: Written) => void;
  /** Names of placeholders that are suggested. */
  readonly variables: readonly string[];
  readonly readOnly?: boolean;
}

/** Width of the text of an email in pixels. */
const MAX_WIDTH = 536;

const extensions = [
  Document.extend({ content: '(block | wide)+ footer?' }),
  Paragraph,
  Text,
  Heading.configure({ levels: [1, 2, 3] }),
  Bold,
  Italic,
  Link.configure({ openOnClick: false, autolink: false, defaultProtocol: 'https' }),
  HardBreak,
  BulletList,
  OrderedList,
  ListItem,
  UndoRedo,
  Dropcursor.configure({ color: false, class: css.drop! }),
  Gapcursor,
  Placeholder.configure({ placeholder: 'Write here, or insert a block', showOnlyCurrent: false }),
  Alignment,
  ButtonBlock,
  ImageBlock,
  Divider,
  Columns,
  Column,
  Footer,
  Variable,
];

export default function BlockEditor({ letter, onChange, variables, readOnly = false }: BlockEditorProps) {
  const client = useQueryClient();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const [picking, setPicking] = useState<'insert' | 'replace'>();
  const [rest, setRest] = useState<readonly string[]>([]);
  const latest = useRef({ letter, onChange });
  latest.current = { letter, onChange };
  const change = (part: Partial<Letter>) => {
    const next = { ...latest.current.letter, ...part };
    latest.current.onChange(next, written(next));
  };
  useEffect(() => {
    const files = (list: FileList | undefined) =>
      [...(list ?? [])].filter((file) => TYPES.includes(file.type) && file.size <= MAX_IMAGE);
    const insertFiles = (all: readonly File[]) => {
      void (async () => {
        try {
          for (const file of all) {
            const { url } = await uploadImage(client, file.name, await base64(file));
            insertBlock(created, { type: 'image', attrs: { src: url, width: await widthOf(url) } });
          }
        } catch (error) {
          const { fields, rest: others } = explained(error, []);
          setRest([...Object.values(fields), ...others]);
        }
      })();
      return all.length > 0;
    };
    const created: Editor = new Editor({
      element: host.current!,
      extensions,
      content: latest.current.letter.doc as JSONContent,
      editable: !readOnly,
      // Its styles are in a file, because the page permits no others.
      injectCSS: false,
      editorProps: {
        attributes: {
          class: css.blocks!,
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': 'Blocks of the email',
        },
        handlePaste: (_, event) => insertFiles(files(event.clipboardData?.files)),
        handleDrop: (_, event, __, moved) => !moved && insertFiles(files(event.dataTransfer?.files)),
      },
      onUpdate: ({ editor: updated }) => change({ doc: updated.getJSON() as Block }),
      onTransaction: redraw,
    });
    setEditor(created);
    return () => created.destroy();
  }, []); // eslint-disable-line react-hooks/exhaustive-deps
  useEffect(() => {
    editor?.setEditable(!readOnly, false);
  }, [editor, readOnly]);
  const colour = letter.colour === NEUTRAL ? 'var(--mail-text)' : letter.colour;
  useEffect(() => {
    const { style } = host.current!;
    style.setProperty('--accent-of-mail', colour);
    style.setProperty('--on-accent-of-mail', letter.colour === NEUTRAL ? 'white' : textOn(letter.colour));
  }, [colour, letter.colour]);
  return (
    <div className={css.composer}>
      <div className={css.settings}>
        <TextField
          label="Preheader"
          optional
          readOnly={readOnly}
          help="The inbox shows it after the subject."
          maxLength={200}
          autoComplete="off"
          value={letter.preheader}
          onChange={(event) => change({ preheader: event.target.value })}
        />
        <Colour value={letter.colour} readOnly={readOnly} onChange={(next) => change({ colour: next })} />
        <SelectField
          label="Font"
          disabled={readOnly}
          value={letter.font}
          onChange={(event) => change({ font: event.target.value as Font })}
        >
          <option value="sans">Sans serif</option>
          <option value="serif">Serif</option>
        </SelectField>
      </div>
      {editor && !readOnly ? (
        <Toolbar editor={editor} variables={variables} onImage={() => setPicking('insert')} />
      ) : null}
      {editor && !readOnly ? (
        <Inspector editor={editor} variables={variables} onReplace={() => setPicking('replace')} />
      ) : null}
      <Rest of={rest} />
      <div className={css.canvas} data-font={letter.font} ref={host} />
      {picking && editor ? (
        <ImagePicker
          onClose={() => setPicking(undefined)}
          onPick={({ url, alt = '' }) => {
            setPicking(undefined);
            void widthOf(url).then((width) => {
              if (picking === 'replace') editor.commands.updateAttributes('image', { src: url, width });
              else insertBlock(editor, { type: 'image', attrs: { src: url, alt, width } });
            });
          }}
        />
      ) : null}
    </div>
  );
}

/** Width at which a small image is sharp; null for one that is as wide as the email. */
async function widthOf(url: string): Promise<number | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return image.naturalWidth < MAX_WIDTH ? image.naturalWidth : null;
}

/** The colour of buttons and links. What is typed counts once it is one. */
function Colour({
  value,
  readOnly,
  onChange,
}: {
  value: string;
  readOnly: boolean;
  onChange: (colour: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? (value === NEUTRAL ? '' : value);
  return (
    <div className={css.colour}>
      <TextField
        label="Colour"
        readOnly={readOnly}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        value={shown}
        error={typed && !isColour(typed) ? 'Six hexadecimal digits after #.' : undefined}
        onBlur={() => setTyped(undefined)}
        onChange={({ target: { value: next } }) => {
          setTyped(next);
          if (next === '') onChange(NEUTRAL);
          else if (isColour(next)) onChange(next.toLowerCase());
        }}
      />
      <input
        type="color"
        aria-label="Choose the colour"
        disabled={readOnly}
        value={isColour(shown) ? shown : ''}
        onChange={(event) => {
          setTyped(undefined);
          onChange(event.target.value);
        }}
      />
    </div>
  );
}
