/** The dialog that adds a route or changes one. */
import { useQueryClient } from '@tanstack/react-query';
import type { InboundAction, InboundSpamRule } from '../gen/graphql';
import { Button } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { createRoute, updateRoute, type RouteRow } from './route-queries';
import { actions, effects, keeps, spamRules } from './routing';

export function EditRoute({
  domain,
  route,
  onClose,
}: {
  domain: { readonly id: string; readonly name: string };
  route: RouteRow | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    {
      pattern: route?.pattern ?? '',
      action: route?.action ?? ('STORE' as InboundAction),
      spam: route?.spam ?? ('MARK' as InboundSpamRule),
      active: route?.active ?? true,
    },
    {
      pattern: (value) =>
        value.includes('@')
          ? `Enter only what is before the @: all addresses are of ${domain.name}.`
          : value.trim()
            ? null
            : 'Enter an address, its beginning, or *.',
    },
    async (values) => {
      const input = { ...values, pattern: values.pattern.trim() };
      await (route
        ? updateRoute(client, domain.id, { id: route.id, ...input })
        : createRoute(client, domain.id, input));
      onClose();
    },
  );
  const { form } = fields;
  return (
    <Dialog title={route ? `Route ${route.pattern}` : 'Add route'} onClose={onClose}>
      <Form fields={fields} label="Route">
        <TextField
          label={`Addresses at ${domain.name}`}
          placeholder="support"
          help="support is one address, shop-* all that begin with shop-, and * all."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          data-autofocus
          {...form.getInputProps('pattern')}
        />
        <SelectField
          label="What becomes of mail to them"
          help={effects[form.values.action]}
          {...form.getInputProps('action')}
        >
          {Object.entries(actions).map(([action, text]) => (
            <option key={action} value={action}>
              {text}
            </option>
          ))}
        </SelectField>
        {keeps(form.values.action) ? (
          <SelectField label="Spam" help="What the spam filter would refuse." {...form.getInputProps('spam')}>
            {Object.entries(spamRules).map(([rule, text]) => (
              <option key={rule} value={rule}>
                {text}
              </option>
            ))}
          </SelectField>
        ) : null}
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={form.values.active}
            onChange={(event) => form.setFieldValue('active', event.target.checked)}
          />
          <span>Active</span>
        </label>
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            {route ? 'Save' : 'Add route'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
