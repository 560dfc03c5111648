import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { SettingsNav } from '../account/settings-nav';
import { accepted, request } from '../app/graphql';
import { UpdateBrandDocument, type Language } from '../gen/graphql';
import { Box, Button } from '../kit/basics';
import { SelectField, TextArea, TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { Rest } from '../kit/problems';
import css from './brand.module.css';
import { isColour } from '../words/colour';
import { Preview } from './preview';
import { brandQuery, type BrandSettings } from './queries';

const MAX_LOGO = 200 * 1024;

/** Languages of the pages, the first of them for other readers. */
const languages = {
  EN: 'English',
  DE: 'German',
  'EN,DE': 'English, or German for readers of it',
  'DE,EN': 'German, or English for readers of it',
} as const;

/** Page for the brand of the account. */
export default function BrandPage() {
  const brand = useQuery(brandQuery);
  return (
    <Page title="Brand" up={{ to: '/settings', text: 'Settings' }} needs="BRAND">
      <SettingsNav />
      <p className={kit.say}>
        Recipients see it when they unsubscribe, choose their lists or confirm a subscription, and in
        confirmation emails.
      </p>
      {brand.data ? (
        <Settings brand={brand.data.brand} account={brand.data.account.name} />
      ) : (
        <Box>
          {brand.error ? (
            <Failed error={brand.error} retry={() => void brand.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
    </Page>
  );
}

function Settings({ brand, account }: { brand: BrandSettings; account: string }) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const fields = useFields(
    {
      name: brand.name,
      colour: brand.colour ?? '',
      footer: brand.footer,
      languages: brand.languages.join(','),
      logo: brand.logo ?? '',
    },
    {
      colour: (value) =>
        value.trim() === '' || isColour(value.trim()) ? null : 'Six hexadecimal digits after #.',
    },
    async (values) => {
      setSaved(false);
      const input = {
        name: values.name,
        colour: values.colour.trim() || null,
        footer: values.footer,
        languages: values.languages.split(',') as Language[],
        // Absent to keep the logo.
        ...(values.logo === (brand.logo ?? '') ? {} : { logo: values.logo.replace(/^.*,/, '') }),
      };
      const { brand: now } = accepted((await request(UpdateBrandDocument, { input })).updateBrand);
      client.setQueryData(brandQuery.queryKey, (old) => (old ? { ...old, brand: now! } : old));
      setSaved(true);
    },
  );
  const { form } = fields;
  const { values } = form;
  return (
    <div className={css.columns}>
      <Form fields={fields} label="Brand">
        <TextField
          label="Public name"
          optional
          placeholder={account}
          help="Also the sender's name of confirmation emails, and the account's in invitations."
          maxLength={100}
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <Logo
          logo={values.logo}
          error={form.errors.logo}
          choose={(logo) => form.setFieldValue('logo', logo)}
          refuse={(reason) => form.setFieldError('logo', reason)}
        />
        <div className={css.colour}>
          <TextField
            label="Colour"
            optional
            help="Of buttons and links. Text stays readable: links keep the colour of text where it is too pale."
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('colour')}
          />
          <input
            type="color"
            aria-label="Choose the colour"
            value={isColour(values.colour) ? values.colour : ''}
            onChange={(event) => form.setFieldValue('colour', event.target.value)}
          />
        </div>
        <TextArea
          label="Footer"
          optional
          rows={4}
          maxLength={500}
          help="Such as the postal address, which many countries require."
          {...form.getInputProps('footer')}
        />
        <SelectField label="Languages of the pages" {...form.getInputProps('languages')}>
          {Object.entries(languages).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        <Rest of={fields.rest} />
        <div className={kit.acts}>
          <Button type="submit" kind="main" needs="BRAND" busy={fields.busy}>
            Save
          </Button>
          {saved ? (
            <span className={kit.quiet} role="status">
              Saved.
            </span>
          ) : null}
        </div>
      </Form>
      <Preview {...values} />
    </div>
  );
}

function Logo({
  logo,
  error,
  choose,
  refuse,
}: {
  logo: string;
  error: unknown;
  choose: (logo: string) => void;
  refuse: (reason: string | null) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const read = (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_LOGO) return refuse('At most 200 KB.');
    const reader = new FileReader();
    reader.onload = () => {
      refuse(null);
      choose(String(reader.result));
    };
    reader.readAsDataURL(file);
  };
  return (
    <div className={kit.field}>
      <span className={kit.label}>
        Logo <span>(optional)</span>
      </span>
      <div className={kit.acts}>
        {logo ? <img className={css.logo} src={logo} alt="The logo" /> : null}
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp"
          aria-label="Logo"
          onChange={(event) => {
            read(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button icon={Upload} needs="BRAND" onClick={() => input.current?.click()}>
          {logo ? 'Replace logo' : 'Choose logo'}
        </Button>
        {logo ? (
          <Button needs="BRAND" onClick={() => choose('')}>
            Remove logo
          </Button>
        ) : null}
      </div>
      <p className={error ? kit.wrong : kit.help}>
        {error ? String(error) : 'PNG, JPEG or WebP, at most 200 KB. It is shown 64 pixels high.'}
      </p>
    </div>
  );
}
