-- Written by the package account: keys of a whole account, and keys that expire.
alter table api_key alter column domain_id drop not null;
alter table api_key add column expires_at timestamptz;
comment on table api_key is 'An API key, limited to one domain or of the whole account.';
comment on column api_key.domain_id is 'The only domain that the key may use; null for a key of the whole account.';
comment on column api_key.permissions is
    'Any of send (which includes all of the following but emails.sandbox), emails.send, emails.sandbox, emails.read, '
    'inbound.read and analytics.read; for a key of the whole account also read and write of domains, templates, contacts, '
    'campaigns, suppressions and webhooks, campaigns.send, events.read and usage.read.';
comment on column api_key.expires_at is 'When the key is refused from; null if it does not expire.';
