import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, type Fields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';

/** A dialog with one form, whose button says its verb. */
export function FormDialog<V extends Record<string, unknown>>({
  title,
  label,
  text,
  fields,
  verb,
  kind = 'main',
  cancel = 'Cancel',
  onClose,
  children,
  after,
}: {
  title: string;
  /** The name of the form. */
  label: string;
  /** Says what the form does. */
  text?: ReactNode;
  fields: Fields<V>;
  verb: string;
  kind?: 'main' | 'badMain';
  cancel?: string;
  onClose: () => void;
  children: ReactNode;
  /** Stands between the errors and the buttons. */
  after?: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {text ? (
        <div className={kit.dialogText}>
          <p>{text}</p>
        </div>
      ) : null}
      <Form fields={fields} label={label}>
        {children}
        <Rest of={fields.rest} />
        {after}
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind={kind} busy={fields.busy}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A field for a name or a number, without the proposals and the spelling of the browser. */
export function NameField(props: ComponentProps<typeof TextField>) {
  return <TextField autoComplete="off" spellCheck={false} {...props} />;
}
