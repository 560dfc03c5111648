-- By which way an account's or a domain's mail leaves; the platform's own where none is chosen.
alter table account add column transport text check (transport in ('relay', 'mx'));
alter table domain
    add column transport text check (transport in ('relay', 'mx')),
    -- Whether its mail goes by TLS, to a server whose certificate holds, or not at all.
    add column require_tls boolean not null default false;

-- Few choose, and every lease asks who has.
create index account_transport on account (id) where transport is not null;
create index domain_transport on domain (account_id) where transport is not null or require_tls;
