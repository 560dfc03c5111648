import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { SetTimeZoneDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { SelectField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Rest } from '../kit/problems';

/** The time zone of the account, for those who may change it. */
export default function TimeZone({ zone }: { zone: string }) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const fields = useFields({ timeZone: zone }, {}, async (input) => {
    setSaved(false);
    accepted((await request(SetTimeZoneDocument, { input })).setTimeZone);
    await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    setSaved(true);
  });
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(['UTC', own, zone, ...Intl.supportedValuesOf('timeZone')])];
  const { form } = fields;
  return (
    <Form fields={fields} label="Time zone">
      <SelectField
        label="Time zone"
        help="Of all times in this app, for everyone in the account. Limits and daily figures are counted in days of UTC."
        {...form.getInputProps('timeZone')}
      >
        {zones.map((name) => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
            {name === own ? ' (this browser)' : ''}
          </option>
        ))}
      </SelectField>
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" busy={fields.busy}>
          Save time zone
        </Button>
        {saved ? (
          <span className={kit.quiet} role="status">
            Saved.
          </span>
        ) : null}
      </div>
    </Form>
  );
}
