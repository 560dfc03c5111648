-- Written by the account when its members add and remove names, and by the job of the active worker that checks them.
create table tracking_domain (
    id             uuid primary key,
    account_id     uuid not null references account on delete cascade,
    domain_id      uuid references domain on delete set null,
    name           text not null,
    state          text not null default 'pending' check (state in ('pending', 'dns_ok', 'active', 'failing')),
    error          text,
    created_at     timestamptz not null,
    checked_at     timestamptz,
    check_at       timestamptz,
    failing_since  timestamptz,
    failed_at      timestamptz,
    removed_at     timestamptz,
    sealed_key     bytea,
    chain          text,
    expires_at     timestamptz,
    renew_at       timestamptz,
    order_failures int not null default 0
);
comment on table tracking_domain is
    'Names of accounts for the links in mails of a sending domain. A row stays for 90 days after its removal, while the '
    'links in mails that have the name still work.';
comment on column tracking_domain.domain_id is 'The sending domain; null once it was deleted.';
comment on column tracking_domain.name is 'Lower-case, in ASCII; below the name of the sending domain.';
comment on column tracking_domain.state is
    'pending: DNS does not lead here yet; dns_ok: DNS does, and HTTPS does not yet; active: both do; failing: was active, '
    'and one of them no longer does.';
comment on column tracking_domain.error is 'What the last check found; null if all was well.';
comment on column tracking_domain.checked_at is 'When the name was last checked; null before the first check.';
comment on column tracking_domain.check_at is 'When the name is checked next; null after its removal.';
comment on column tracking_domain.failing_since is 'When the state became failing; null in other states.';
comment on column tracking_domain.failed_at is
    'When new mails returned to the shared name because this one had failed for an hour; null until then.';
comment on column tracking_domain.removed_at is 'When the name was removed; null before.';
comment on column tracking_domain.sealed_key is
    'Private key of the certificate: PKCS #8, encrypted with the master key and bound to this row; null without one.';
comment on column tracking_domain.chain is 'The certificate and its issuers (PEM); null without one.';
comment on column tracking_domain.expires_at is 'When the certificate expires.';
comment on column tracking_domain.renew_at is 'When a certificate is ordered next; null before the first order.';
comment on column tracking_domain.order_failures is 'Orders that failed since the last certificate.';
create unique index tracking_domain_name on tracking_domain (name) where removed_at is null;
create index tracking_domain_account on tracking_domain (account_id);
create index tracking_domain_domain on tracking_domain (domain_id);
-- For requests, which may also name one that was removed.
create index tracking_domain_asked on tracking_domain (name);
create index tracking_domain_check on tracking_domain (check_at) where check_at is not null;
create index tracking_domain_removed on tracking_domain (removed_at) where removed_at is not null;
call secure('tracking_domain');
call readable('tracking_domain', 'id, account_id, domain_id, name, state, error, created_at, checked_at, check_at, '
    'failing_since, failed_at, removed_at, expires_at, renew_at, order_failures');

alter table domain add column link_host text;
comment on column domain.link_host is
    'The tracking domain of new mails: its oldest that works; null for the shared name. A trigger of tracking_domain keeps '
    'it here, because each accepted mail reads this row.';
alter table email add column link_host text;
comment on column email.link_host is
    'The tracking domain of its links, chosen when it was accepted; null for the shared name. All attempts have the same.';

create function orphan_tracking_domain() returns trigger language plpgsql as $$
begin
    new.removed_at := coalesce(new.removed_at, now());
    new.check_at := null;
    return new;
end $$;
comment on function orphan_tracking_domain() is 'Removes the names of a sending domain that is deleted.';
create trigger tracking_domain_orphan before update of domain_id on tracking_domain
    for each row when (new.domain_id is null) execute function orphan_tracking_domain();

create function choose_link_host() returns trigger language plpgsql as $$
declare
    chosen text := (select name from tracking_domain
                     where domain_id = new.domain_id and removed_at is null
                       and (state = 'active' or (state = 'failing' and failed_at is null))
                     order by created_at, id limit 1);
begin
    update domain set link_host = chosen where id = new.domain_id and link_host is distinct from chosen;
    return null;
end $$;
comment on function choose_link_host() is 'Chooses the tracking domain of the new mails of a sending domain.';
create trigger tracking_domain_chosen after update of state, failed_at, removed_at on tracking_domain
    for each row when (new.domain_id is not null) execute function choose_link_host();

-- Written by the job of the active worker that orders certificates.
create table acme_order (
    id                  uuid primary key,
    account_id          uuid not null references account on delete cascade,
    name                text not null,
    result              text not null default 'running' check (result in ('running', 'issued', 'failed')),
    error               text,
    began_at            timestamptz not null
);
comment on table acme_order is 'Orders of certificates, kept for 30 days. They also bound the orders of an hour.';
comment on column acme_order.name is 'The tracking domain.';
comment on column acme_order.error is 'Why it failed; null otherwise.';
create index acme_order_account on acme_order (account_id);
create index acme_order_began on acme_order (began_at);
call secure('acme_order');
call readable('acme_order', 'id, account_id, name, result, error, began_at');

-- Written before the first order at an authority.
create table acme_account (
    id          uuid primary key,
    directory   text not null unique,
    sealed_key  bytea not null,
    created_at  timestamptz not null
);
comment on table acme_account is 'The account of this installation at an authority (RFC 8555).';
comment on column acme_account.directory is 'URL of the authority.';
comment on column acme_account.sealed_key is 'PKCS #8, encrypted with the master key and bound to this row.';
grant select, insert, update on acme_account to "${app}", mailroom_system;

-- Written for each order, and read by the API when the authority asks.
create table acme_challenge (
    token       text primary key,
    answer      text not null,
    expires_at  timestamptz not null
);
comment on table acme_challenge is 'Challenges over HTTP (RFC 8555 8.3) that the authority may ask for now.';
comment on column acme_challenge.answer is 'The key authorization.';
grant select, insert, update, delete on acme_challenge to "${app}", mailroom_system;
