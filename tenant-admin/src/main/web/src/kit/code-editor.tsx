/** An editor for the HTML of mails, with placeholders. It is a chunk of its own: load it lazily. */
import { html } from '@codemirror/lang-html';
import { syntaxHighlighting } from '@codemirror/language';
import { Annotation, Compartment, EditorState, type ChangeSet, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { getNonce } from 'get-nonce';
import { useEffect, useRef } from 'react';
import css from './code-editor.module.css';

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Lines with an error, counted from 1. */
  readonly wrongLines: readonly number[];
  readonly language: 'html' | 'text';
  /** Id of the text that explains the errors. */
  readonly describedBy?: string | undefined;
  /** A line to go to; another object goes there again. */
  readonly goTo?: { readonly line: number } | undefined;
  readonly readOnly?: boolean;
  /** Name of the field in its form, which puts the focus here if it is wrong. */
  readonly path?: string;
}

export default function CodeEditor({
  label,
  value,
  onChange,
  wrongLines,
  language,
  describedBy,
  goTo,
  readOnly = false,
  path,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  const marks = useRef(new Compartment());
  const names = useRef(new Compartment());
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(getNonce() ?? ''),
          lineNumbers(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          history(),
          placeholders,
          language === 'html' ? [html(), syntaxHighlighting(colours)] : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString());
          }),
          marks.current.of([]),
          names.current.of([]),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language]); // eslint-disable-line react-hooks/exhaustive-deps
  useEffect(() => {
    const editor = view.current!;
    if (editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value, language]);
  const wrong = wrongLines.join(' ');
  useEffect(() => {
    const editor = view.current!;
    const lines =
      wrong === ''
        ? []
        : wrong
            .split(' ')
            .map(Number)
            .filter((line) => line <= editor.state.doc.lines);
    const set = Decoration.set(
      lines.map((line) => Decoration.line({ class: css.wrong! }).range(editor.state.doc.line(line).from)),
      true,
    );
    editor.dispatch({ effects: marks.current.reconfigure(EditorView.decorations.of(set)) });
  }, [wrong, language, value]);
  useEffect(() => {
    const attributes = {
      'aria-label': label,
      spellcheck: 'false',
      ...(path ? { 'data-path': path } : {}),
      ...(describedBy ? { 'aria-describedby': describedBy, 'aria-invalid': 'true' } : {}),
    };
    view.current!.dispatch({
      effects: names.current.reconfigure(EditorView.contentAttributes.of(attributes)),
    });
  }, [label, describedBy, language, path]);
  useEffect(() => {
    const editor = view.current!;
    if (!goTo || goTo.line > editor.state.doc.lines) return;
    editor.dispatch({ selection: { anchor: editor.state.doc.line(goTo.line).from }, scrollIntoView: true });
    editor.focus();
  }, [goTo]);
  return <div className={css.editor} ref={host} />;
}

const colours = tagHighlighter([
  { tag: tags.tagName, class: css.tag! },
  { tag: tags.attributeName, class: css.attribute! },
  { tag: [tags.attributeValue, tags.string], class: css.value! },
  { tag: [tags.comment, tags.documentMeta], class: css.comment! },
  { tag: tags.angleBracket, class: css.bracket! },
]);

const matcher = new MatchDecorator({
  regexp: /\{\{[^{}\n]*\}\}/g,
  decoration: Decoration.mark({ class: css.placeholder! }),
});

/** Marks placeholders. */
const placeholders = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Changes within this time are undone together. */
const TOGETHER_MS = 400;
const MAX_STEPS = 500;
const past = Annotation.define<boolean>();

/** Undo and redo. */
function history(): Extension {
  const done: ChangeSet[] = [];
  const undone: ChangeSet[] = [];
  let last = 0;
  const step = (from: ChangeSet[], to: ChangeSet[]) => (view: EditorView) => {
    const changes = from.pop();
    if (!changes) return true;
    to.push(changes.invert(view.state.doc));
    last = 0;
    view.dispatch({ changes, annotations: past.of(true), scrollIntoView: true });
    return true;
  };
  const undo = step(done, undone);
  const redo = step(undone, done);
  return [
    EditorView.updateListener.of((update) => {
      for (const transaction of update.transactions) {
        if (!transaction.docChanged || transaction.annotation(past)) continue;
        const inverse = transaction.changes.invert(transaction.startState.doc);
        const now = Date.now();
        if (now - last < TOGETHER_MS && done.length > 0) done.push(inverse.compose(done.pop()!));
        else done.push(inverse);
        if (done.length > MAX_STEPS) done.shift();
        undone.length = 0;
        last = now;
      }
    }),
    keymap.of([
      { key: 'Mod-z', run: undo, preventDefault: true },
      { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      { key: 'Mod-y', run: redo, preventDefault: true },
    ]),
    EditorView.domEventHandlers({
      beforeinput: (event, view) => {
        if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false;
        event.preventDefault();
        return (event.inputType === 'historyUndo' ? undo : redo)(view);
      },
    }),
  ];
}
