/** Inserts, moves and removes blocks of the editor. */
import type { Editor, JSONContent } from '@tiptap/core';

/** The block of the selection: its place in the document, or in a column. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly parent: NonNullable<ReturnType<Editor['state']['doc']['child']>>;
  readonly index: number;
}

function placeOf({ state }: Editor): Place | undefined {
  const { $from, from, to } = state.selection;
  for (let depth = $from.depth; depth >= 0; depth--) {
    const parent = $from.node(depth);
    if (parent.type.name !== 'doc' && parent.type.name !== 'column') continue;
    const index = $from.index(depth);
    if (index >= parent.childCount) return undefined;
    // A selected block has no position inside of it.
    if (depth === $from.depth)
      return { from, to: Math.max(to, from + parent.child(index).nodeSize), parent, index };
    return { from: $from.before(depth + 1), to: $from.after(depth + 1), parent, index };
  }
  return undefined;
}

/** Whether the block may be in a column. */
function isWide(type: string | undefined): boolean {
  return type === 'columns' || type === 'footer';
}

/**
 * Inserts a block behind that of the selection, and columns behind those of the selection. A blank paragraph is
 * replaced.
 */
export function insertBlock(editor: Editor, block: JSONContent): void {
  const { doc, selection } = editor.state;
  const last =
    doc.lastChild?.type.name === 'footer' ? doc.content.size - doc.lastChild.nodeSize : doc.content.size;
  const place = placeOf(editor);
  const at = isWide(block.type)
    ? selection.$from.depth > 0
      ? selection.$from.after(1)
      : selection.to
    : (place?.to ?? last);
  const current = place && !(isWide(block.type) && place.parent.type.name === 'column') ? place : undefined;
  const replaced = current?.parent.child(current.index);
  const isBlank =
    replaced?.type.name === 'paragraph' && replaced.content.size === 0 && block.type !== 'footer';
  const position =
    block.type === 'footer' ? doc.content.size : isBlank ? current!.from : Math.min(at, Math.max(last, 0));
  // At once: the command waits for the next frame, and a key that is pressed before would be lost.
  editor.view.focus();
  editor
    .chain()
    .insertContentAt(isBlank ? { from: position, to: current!.to } : position, block)
    .scrollIntoView()
    .run();
  const inserted = editor.state.doc.nodeAt(position);
  if (!inserted) return;
  if (inserted.isAtom) editor.commands.setNodeSelection(position);
  else editor.commands.setTextSelection(position + (block.type === 'columns' ? 3 : 1));
}

/** Whether the block of the selection can change places with its neighbour. */
export function canMove(editor: Editor, by: -1 | 1): boolean {
  const place = placeOf(editor);
  const other = place ? place.parent.maybeChild(place.index + by) : null;
  return place !== undefined && other !== null && ![other, place.parent.child(place.index)].some(isFooter);
}

function isFooter(node: { type: { name: string } }): boolean {
  return node.type.name === 'footer';
}

/** Exchanges the block of the selection with its neighbour. */
export function moveBlock(editor: Editor, by: -1 | 1): void {
  const place = placeOf(editor);
  if (!place || !canMove(editor, by)) return;
  const node = place.parent.child(place.index);
  const other = place.parent.child(place.index + by);
  const { tr, selection } = editor.state;
  const to = by === -1 ? place.from - other.nodeSize : place.from + other.nodeSize;
  const offset = selection.from - place.from;
  editor.view.dispatch(
    tr
      .delete(place.from, place.from + node.nodeSize)
      .insert(to, node)
      .scrollIntoView(),
  );
  if (node.isAtom) editor.commands.setNodeSelection(to);
  else editor.commands.setTextSelection(to + offset);
  editor.commands.focus();
}

/** Removes the block of the selection. */
export function removeBlock(editor: Editor): void {
  const place = placeOf(editor);
  if (place) editor.chain().focus().deleteRange({ from: place.from, to: place.to }).run();
}

/** The name of the block of the selection; undefined between blocks. */
export function blockName(editor: Editor): string | undefined {
  const place = placeOf(editor);
  return place?.parent.child(place.index).type.name;
}
