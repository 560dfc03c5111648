-- Written by the job of the active worker that checks sending addresses, and by operators who ask for a check.
create table address_check (
    subject     text not null,
    kind        text not null,
    list        text not null default '',
    result      text not null check (result in ('ok', 'warning', 'failed', 'unknown')),
    detail      text not null,
    requested   boolean not null default false,
    since       timestamptz not null,
    checked_at  timestamptz not null,
    primary key (subject, kind, list)
);
comment on table address_check is
    'The last result of each check of an address from which mail is sent, and of the domains of that mail on domain lists. '
    'Of the domains of tenants only those that are listed.';
comment on column address_check.subject is 'The address, or the domain.';
comment on column address_check.kind is
    'ptr: the address has a name; forward: the name leads back; helo: it is the name in EHLO; generic: it does not look '
    'like one of a provider''s customers; spf: the included record permits the address; helo_spf: so does that of the name '
    'in EHLO; list: a block list of addresses; domain: one of domains.';
comment on column address_check.list is 'Name of the block list; empty for the other kinds.';
comment on column address_check.detail is 'What was found. Never a name that was queried: it may contain a key.';
comment on column address_check.requested is 'Whether an operator asks for a check before the next hour.';
comment on column address_check.since is 'When the result became what it is.';
grant select, insert, update, delete on address_check to "${app}", mailroom_system;

-- Written by the same job.
create table block_list (
    name         text primary key,
    zone         text not null,
    kind         text not null check (kind in ('address', 'domain')),
    severity     text not null check (severity in ('high', 'low')),
    removal_url  text not null,
    state        text not null check (state in ('on', 'off', 'unknown')),
    tested_at    timestamptz not null
);
comment on table block_list is 'The block lists that are asked, with the last test of each as in RFC 5782.';
comment on column block_list.zone is 'The zone without the key of the subscriber, if it has one.';
comment on column block_list.severity is 'high: many receivers refuse the mail of what it lists.';
comment on column block_list.state is
    'on: it listed its test entry, and not the one that must never be listed; off: it did otherwise and is not asked; '
    'unknown: the name servers did not answer.';
grant select, insert, update, delete on block_list to "${app}", mailroom_system;
grant select on address_check, block_list to mailroom_read;

-- The DKIM records of the platform's domain are published by people.
grant select (public_key) on dkim_key to mailroom_read;
