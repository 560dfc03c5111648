alter table contact_book add column double_opt_in boolean not null default false;
comment on column contact_book.double_opt_in is
    'Whether a new contact stays unsubscribed until the person confirms the link in a mail.';

alter table contact
    add column consent text check (consent in ('pending', 'stated', 'confirmed')),
    add column consent_source text check (consent_source in ('api', 'web', 'import', 'form')),
    add column consent_at timestamptz,
    add column consent_address text,
    add column confirmed_at timestamptz,
    add column confirmed_address text;
comment on column contact.consent is
    'pending: not subscribed until the person confirms; stated: the account states that the person has agreed; '
    'confirmed: the person has confirmed by a link in a mail; null if neither was required. It stays when the person '
    'unsubscribes, except pending.';
comment on column contact.consent_source is
    'Origin of the last request to subscribe the contact: the REST API, the web app, a CSV file, or a page opened from a '
    'mail; null if unknown.';
comment on column contact.consent_at is 'Time of that request.';
comment on column contact.consent_address is 'Network address from which that request came; null if unknown.';
comment on column contact.confirmed_at is 'When the person last confirmed; null before.';
comment on column contact.confirmed_address is 'Network address from which the person confirmed; null if unknown.';

create table confirmation (
    contact_id  uuid primary key references contact on delete cascade,
    account_id  uuid not null,
    due_at      timestamptz,
    sent_at     timestamptz,
    mails       int not null default 0
) with (fillfactor = 70);
comment on table confirmation is
    'Mails that ask contacts to confirm their subscription; deleted when the person has decided.';
comment on column confirmation.due_at is
    'When the next mail is to be sent, later while one is being sent; null if none is requested.';
comment on column confirmation.sent_at is 'When the last mail was accepted for sending; null before.';
comment on column confirmation.mails is 'Number of mails accepted for sending.';
create index confirmation_due on confirmation (account_id, due_at) where due_at is not null;
call secure('confirmation');
