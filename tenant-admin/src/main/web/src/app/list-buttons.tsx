/** Buttons for the columns and named views of a list. */
import { Bookmark, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../kit/basics';
import { Choices } from '../kit/choices';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog, MenuButton } from '../kit/layers';
import type { ListTools, SavedView } from './list-tools';

/** Largest number of named views of a list. */
const MAX_VIEWS = 20;

export default function ListButtons({
  columns,
  ...views
}: {
  tools: ListTools;
  /** Heads of the columns that can be hidden; none on narrow screens. */
  columns: readonly string[];
  /** Filters and order of the list as they are now. */
  search: Readonly<Record<string, unknown>>;
  onApply: (search: Readonly<Record<string, unknown>>) => void;
}) {
  return (
    <>
      <ViewsButton {...views} />
      {columns.length > 0 ? <ColumnsButton tools={views.tools} choices={columns} /> : null}
    </>
  );
}

/** Shows and hides columns. */
function ColumnsButton({ tools, choices }: { tools: ListTools; choices: readonly string[] }) {
  return (
    <Choices
      icon={Columns3}
      text="Columns"
      label="Columns"
      end
      choices={choices.map((head) => [head, head] as const)}
      chosen={tools.columns}
      onChange={tools.setColumns}
    />
  );
}

/** Applies, saves and deletes named views. */
function ViewsButton({
  tools,
  search,
  onApply,
}: {
  tools: ListTools;
  /** Filters and order of the list as they are now. */
  search: Readonly<Record<string, unknown>>;
  onApply: (search: Readonly<Record<string, unknown>>) => void;
}) {
  const [saving, setSaving] = useState(false);
  const { views, setViews, columns, setColumns } = tools;
  const now = fingerprint(search, columns);
  const shown = views.find((view) => fingerprint(view.search, view.columns) === now);
  return (
    <>
      <MenuButton
        label={shown ? `Views: ${shown.name}` : 'Views'}
        trigger={{ icon: Bookmark, text: shown?.name ?? 'Views' }}
        entries={[
          ...views.map((view) => ({
            kind: 'item' as const,
            text: view.name,
            act: () => {
              setColumns(view.columns);
              onApply(view.search);
            },
          })),
          ...(views.length > 0 ? [{ kind: 'line' as const, key: 'views' }] : []),
          ...(shown
            ? [
                {
                  kind: 'item' as const,
                  text: `Delete the view ${shown.name}`,
                  tone: 'bad' as const,
                  act: () => setViews(views.filter((view) => view !== shown)),
                },
              ]
            : views.length < MAX_VIEWS
              ? [{ kind: 'item' as const, text: 'Save this view', act: () => setSaving(true) }]
              : [{ kind: 'label' as const, text: `At most ${MAX_VIEWS} views are kept` }]),
        ]}
      />
      {saving ? (
        <SaveView
          onClose={() => setSaving(false)}
          onSave={(name) =>
            setViews([
              ...views.filter((view) => view.name !== name),
              { name, search: JSON.parse(JSON.stringify(search)) as SavedView['search'], columns },
            ])
          }
        />
      ) : null}
    </>
  );
}

function fingerprint(search: Readonly<Record<string, unknown>>, columns: readonly string[]): string {
  const set = Object.entries(search).filter(([, value]) => value !== undefined);
  return JSON.stringify([set.sort(([a], [b]) => (a < b ? -1 : 1)), [...columns].sort()]);
}

/** Asks for the name of a view. */
function SaveView({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const fields = useFields({ name: '' }, { name: rules.required('a name') }, async ({ name }) => {
    onSave(name.trim());
    onClose();
  });
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <Form fields={fields} label="Save this view">
        <TextField
          label="Name"
          help="Filters, order and columns are kept in this browser."
          autoComplete="off"
          maxLength={60}
          data-autofocus
          {...fields.form.getInputProps('name')}
        />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Save view
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
