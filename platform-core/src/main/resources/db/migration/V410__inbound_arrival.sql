-- To whom the envelope of a mail was addressed: its headers may name others, or nobody.
alter table inbound_email add column recipients text[] not null default '{}';
-- Of envelope and content, where the mail names itself (Message-ID): a sender that lost our
-- answer sends the same again, and it must not come in twice.
alter table inbound_email add column fingerprint bytea;
create unique index inbound_email_once on inbound_email (account_id, domain_id, fingerprint)
    where fingerprint is not null;

-- Whose a domain is that takes mail now. Asked before the account is known.
create function domain_that_receives(wanted text) returns table (account_id uuid, domain_id uuid)
language sql stable as $$
    select domain.account_id, domain.id from domain
     where domain.name = wanted and domain.status in ('verified', 'temporary_failure')
$$;
call sees_every_account('domain_that_receives(text)');
