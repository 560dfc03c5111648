-- Written when a mail with tracked links is composed.
create table tracked_link (
    account_id  uuid not null,
    id          uuid not null,
    url         text not null,
    created_at  timestamptz not null default now(),
    used_on     date not null default (now() at time zone 'UTC')::date,
    primary key (account_id, id)
);
comment on table tracked_link is
    'The target of tracked links, stored once for an account however many mails contain it.';
comment on column tracked_link.id is 'The first 16 bytes of the SHA-256 of url.';
comment on column tracked_link.used_on is
    'Last day (UTC) on which a mail with the link was composed, for retention; may lag by a day.';
create index tracked_link_used on tracked_link (used_on);
call secure('tracked_link');
