/** The dialog that adds a route or changes one. */
import { useQueryClient } from '@tanstack/react-query';
import type { ForwardMode, InboundAction, InboundSpamRule } from '../gen/graphql';
import { Button } from '../kit/basics';
import { SelectField, TextArea, TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { createRoute, updateRoute, type RouteRow } from './route-queries';
import { actions, addressesOf, effects, forwardModes, keeps, spamRules } from './routing';

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
      forwardTo: route?.forwardTo.join('\n') ?? '',
      forwardMode: route?.forwardMode ?? ('REWRITE' as ForwardMode),
      active: route?.active ?? true,
    },
    {
      pattern: (value) =>
        value.includes('@')
          ? `Enter only what is before the @: all addresses are of ${domain.name}.`
          : value.trim()
            ? null
            : 'Enter an address, its beginning, or *.',
      forwardTo: (value, { action }) =>
        action === 'FORWARD' && addressesOf(value).length === 0 ? 'Enter at least one address.' : null,
    },
    async (values) => {
      const forwards = values.action === 'FORWARD';
      const input = {
        ...values,
        pattern: values.pattern.trim(),
        forwardTo: forwards ? addressesOf(values.forwardTo) : [],
      };
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
        <SelectField label="Action" help={effects[form.values.action]} {...form.getInputProps('action')}>
          {Object.entries(actions).map(([action, text]) => (
            <option key={action} value={action}>
              {text}
            </option>
          ))}
        </SelectField>
        {form.values.action === 'FORWARD' ? (
          <>
            <TextArea
              label="Forward to"
              rows={2}
              spellCheck={false}
              autoCapitalize="none"
              help="One a line, at most five: forwarding addresses, or addresses at your verified domains."
              {...form.getInputProps('forwardTo')}
            />
            <SelectField
              label="If the author's domain refuses mail of others"
              help="And the mail has no valid signature of that domain. Replies go to the author."
              {...form.getInputProps('forwardMode')}
            >
              {Object.entries(forwardModes).map(([mode, text]) => (
                <option key={mode} value={mode}>
                  {text}
                </option>
              ))}
            </SelectField>
          </>
        ) : null}
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
