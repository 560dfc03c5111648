-- Written by the account when it has its policy about TLS hosted here.
create table hosted_policy (
    domain_id   uuid primary key references domain on delete cascade,
    account_id  uuid not null references account on delete cascade,
    mode        text not null check (mode in ('testing', 'enforce')),
    since       timestamptz not null
);
comment on table hosted_policy is
    'Domains whose MTA-STS policy (RFC 8461) this installation serves, below the name mta-sts in tracking_domain.';
comment on column hosted_policy.mode is 'Mode of the policy.';
comment on column hosted_policy.since is 'When the mode was chosen.';
create index hosted_policy_account on hosted_policy (account_id);
call secure('hosted_policy');
call readable('hosted_policy', 'domain_id, account_id, mode, since');

alter table tracking_domain add column policy boolean not null default false;
comment on column tracking_domain.policy is
    'Whether the name serves the MTA-STS policy of its domain, and no links.';
grant select (policy) on tracking_domain to mailroom_read;

create or replace function choose_link_host() returns trigger language plpgsql as $$
declare
    chosen text := (select name from tracking_domain
                     where domain_id = new.domain_id and removed_at is null and not policy
                       and (state = 'active' or (state = 'failing' and failed_at is null))
                     order by created_at, id limit 1);
begin
    update domain set link_host = chosen where id = new.domain_id and link_host is distinct from chosen;
    return null;
end $$;

-- Written by the active worker.
create table inbound_certificate (
    host        text primary key,
    valid       boolean not null,
    detail      text not null,
    tlsa        text not null,
    published   boolean,
    checked_at  timestamptz not null
);
comment on table inbound_certificate is 'The last check of the certificate with which this installation receives mail.';
comment on column inbound_certificate.host is 'The host that MX records of tenants name.';
comment on column inbound_certificate.valid is 'Whether a public authority has issued it for the host, and it has not expired.';
comment on column inbound_certificate.detail is 'What was found, as a sentence.';
comment on column inbound_certificate.tlsa is 'TLSA record of its key (RFC 6698): 3 1 1 and the hash; empty if no server was reached.';
comment on column inbound_certificate.published is 'Whether DNS has this record; null if it has none, or did not answer.';
grant select, insert, update, delete on inbound_certificate to "${app}", mailroom_system;
grant select on inbound_certificate to mailroom_read;
