-- Whom an outside issuer calls what: an account that signs in elsewhere.
create table identity (
    issuer      text not null,
    subject     text not null,
    -- Checked at commit: who inserts first may make the account.
    account_id  uuid not null references account on delete cascade deferrable initially deferred,
    created_at  timestamptz not null default now(),
    primary key (issuer, subject)
);
create index identity_account on identity (account_id);
call secure('identity');

create function account_by_identity(by_issuer text, wanted text)
returns table (account_id uuid, verified boolean)
language sql stable as '
    select i.account_id, a.email_verified_at is not null
      from identity i join account a on a.id = i.account_id
     where i.issuer = by_issuer and i.subject = wanted';
call sees_every_account('account_by_identity(text, text)');
