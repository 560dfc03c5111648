import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Rest } from '../kit/problems';
import { contentQuery } from './queries';

/** Asks an operator who watches the account why a mail is read, and reads it. */
export default function ReadingReason({ id }: { id: string }) {
  const client = useQueryClient();
  const fields = useFields({ reason: '' }, { reason: rules.required('a reason') }, async ({ reason }) => {
    await client.fetchQuery(contentQuery(id, reason.trim()));
  });
  return (
    <Form fields={fields} label="Read the content">
      <TextField
        label="Reason to read it"
        autoComplete="off"
        maxLength={1000}
        help="The content is private to the account. The audit log keeps that you read it, and why."
        {...fields.form.getInputProps('reason')}
      />
      <Rest of={fields.rest} />
      <div>
        <Button type="submit" busy={fields.busy}>
          Read the content
        </Button>
      </div>
    </Form>
  );
}
