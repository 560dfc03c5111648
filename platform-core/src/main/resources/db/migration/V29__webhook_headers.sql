-- Written by the account, as the other settings of an endpoint.
alter table webhook_endpoint add column svix_headers boolean not null default false;
comment on column webhook_endpoint.svix_headers is
    'Whether calls have the headers svix-id, svix-timestamp and svix-signature beside those of Standard Webhooks.';
