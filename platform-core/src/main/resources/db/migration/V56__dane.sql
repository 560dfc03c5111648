-- Written by the workers: a row when a session with a server of the domain has another result, and daily.
create table dane_seen (
    domain        text primary key,
    secure_until  timestamptz not null,
    result        text not null check (result in ('verified', 'encrypted', 'refused'))
);
comment on table dane_seen is
    'Domains of recipients whose servers had TLSA records that DNSSEC proved, for 30 days: while DNSSEC cannot be '
    'validated, their mail waits.';
comment on column dane_seen.result is
    'Result of the last session: verified by a record, encrypted because no record was usable, or refused.';
grant select, insert, update, delete on dane_seen to "${app}", mailroom_system;
grant select on dane_seen to mailroom_read;

alter table mta_sts_policy add column result text;
comment on column mta_sts_policy.result is
    'Result of the last session, by the names of mailroom_tls_policy_total; null before the first one.';
