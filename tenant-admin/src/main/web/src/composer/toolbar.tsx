import type { Editor } from '@tiptap/core';
import {
  AlignCenter,
  ArrowDown,
  ArrowUp,
  Bold,
  Braces,
  Columns2,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Minus,
  PanelBottom,
  RectangleHorizontal,
  Redo2,
  Trash2,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { Button } from '../kit/basics';
import { blockName, canMove, insertBlock, moveBlock, removeBlock } from './blocks';
import css from './composer.module.css';

const column = { type: 'column', content: [{ type: 'paragraph' }] };

/** Acts on the selection, and blocks to insert. */
export function Toolbar({
  editor,
  variables,
  onImage,
}: {
  editor: Editor;
  variables: readonly string[];
  onImage: () => void;
}) {
  const chain = () => editor.chain().focus();
  const level = [1, 2, 3].find((each) => editor.isActive('heading', { level: each })) ?? 0;
  const aligned = ['paragraph', 'heading', 'button', 'image'].find((type) => editor.isActive(type));
  const centred = editor.isActive({ align: 'center' });
  const hasFooter = editor.state.doc.lastChild?.type.name === 'footer';
  const inText = editor.isActive('paragraph') || editor.isActive('heading');
  return (
    <div className={css.toolbar} role="toolbar" aria-label="Format and insert">
      <select
        aria-label="Kind of text"
        value={level}
        disabled={!inText}
        onChange={({ target: { value } }) => {
          const next = Number(value);
          if (next === 0) chain().setParagraph().run();
          else
            chain()
              .setHeading({ level: next as 1 | 2 | 3 })
              .run();
        }}
      >
        <option value={0}>Text</option>
        <option value={1}>Heading 1</option>
        <option value={2}>Heading 2</option>
        <option value={3}>Heading 3</option>
      </select>
      <Tool icon={Bold} text="Bold" on={editor.isActive('bold')} act={() => chain().toggleBold().run()} />
      <Tool
        icon={Italic}
        text="Italic"
        on={editor.isActive('italic')}
        act={() => chain().toggleItalic().run()}
      />
      <Tool
        icon={Link}
        text="Link"
        on={editor.isActive('link')}
        off={editor.state.selection.empty && !editor.isActive('link')}
        reason="Select the text of the link first"
        act={() => {
          if (editor.isActive('link')) chain().extendMarkRange('link').unsetLink().run();
          else chain().setLink({ href: 'https://' }).run();
        }}
      />
      <Tool
        icon={List}
        text="List"
        on={editor.isActive('bulletList')}
        act={() => chain().toggleBulletList().run()}
      />
      <Tool
        icon={ListOrdered}
        text="Numbered list"
        on={editor.isActive('orderedList')}
        act={() => chain().toggleOrderedList().run()}
      />
      <Tool
        icon={AlignCenter}
        text="Centre"
        on={centred}
        off={!aligned}
        act={() => {
          if (aligned)
            chain()
              .updateAttributes(aligned, { align: centred ? null : 'center' })
              .run();
        }}
      />
      <span className={css.gap} />
      <Tool icon={Image} text="Image" labelled act={onImage} />
      <Tool
        icon={RectangleHorizontal}
        text="Button"
        labelled
        act={() => insertBlock(editor, { type: 'button', content: [{ type: 'text', text: 'Read on' }] })}
      />
      <Tool icon={Minus} text="Divider" labelled act={() => insertBlock(editor, { type: 'divider' })} />
      <Tool
        icon={Columns2}
        text="Columns"
        labelled
        act={() => insertBlock(editor, { type: 'columns', content: [column, column] })}
      />
      <Tool
        icon={Braces}
        text="Placeholder"
        labelled
        off={!inText && !editor.isActive('button') && !editor.isActive('footer')}
        reason="Put the cursor into a text first"
        act={() =>
          chain()
            .insertContent({ type: 'variable', attrs: { name: variables[0] ?? 'first_name', fallback: '' } })
            .command(({ tr, commands }) => commands.setNodeSelection(tr.selection.from - 1))
            .run()
        }
      />
      {hasFooter ? null : (
        <Tool icon={PanelBottom} text="Footer" labelled act={() => insertBlock(editor, { type: 'footer' })} />
      )}
      <span className={css.gap} />
      <Tool icon={ArrowUp} text="Move up" off={!canMove(editor, -1)} act={() => moveBlock(editor, -1)} />
      <Tool icon={ArrowDown} text="Move down" off={!canMove(editor, 1)} act={() => moveBlock(editor, 1)} />
      <Tool
        icon={Trash2}
        text="Delete block"
        off={blockName(editor) === undefined}
        act={() => removeBlock(editor)}
      />
      <Tool icon={Undo2} text="Undo" off={!editor.can().undo()} act={() => chain().undo().run()} />
      <Tool icon={Redo2} text="Redo" off={!editor.can().redo()} act={() => chain().redo().run()} />
    </div>
  );
}

function Tool({
  icon,
  text,
  on,
  off = false,
  reason,
  labelled = false,
  act,
}: {
  icon: LucideIcon;
  text: string;
  on?: boolean;
  off?: boolean;
  reason?: string;
  labelled?: boolean;
  act: () => void;
}) {
  return (
    <Button
      small
      kind="bare"
      icon={icon}
      iconOnly={!labelled}
      aria-label={labelled ? undefined : text}
      aria-pressed={on}
      aria-disabled={off || undefined}
      title={off ? reason : undefined}
      onClick={() => {
        if (!off) act();
      }}
    >
      {labelled ? text : null}
    </Button>
  );
}
