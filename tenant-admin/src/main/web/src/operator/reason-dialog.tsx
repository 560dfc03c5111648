import type { ReactNode } from 'react';
import { Button } from '../kit/basics';
import { TextArea } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';

export interface ReasonDialogProps {
  readonly title: string;
  /** The effect of the act. */
  readonly children: ReactNode;
  /** Readers of the reason. */
  readonly help?: string;
  readonly verb: string;
  readonly keep?: string;
  /** Whether the act takes something away. */
  readonly bad?: boolean;
  readonly act: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the reason of an act, does it and closes. */
export function ReasonDialog(props: ReasonDialogProps) {
  const {
    title,
    children,
    help = 'The audit log keeps it.',
    verb,
    keep = 'Cancel',
    bad,
    act,
    onClose,
  } = props;
  const fields = useFields({ reason: '' }, { reason: rules.required('a reason') }, async ({ reason }) => {
    await act(reason.trim());
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={kit.dialogText}>{children}</div>
      <Form fields={fields} label={verb}>
        <TextArea
          label="Reason"
          rows={3}
          maxLength={1000}
          help={help}
          data-autofocus
          {...fields.form.getInputProps('reason')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>{keep}</Button>
          <Button type="submit" kind={bad ? 'badMain' : 'main'} busy={fields.busy}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
