-- Written by the workers: at most two rows for each fetched policy.
create table mta_sts_policy (
    domain      text primary key,
    txt_id      text not null,
    mode        text not null check (mode in ('enforce', 'testing', 'none')),
    mx          text[] not null,
    max_age     int not null,
    fetched_at  timestamptz not null
);
comment on table mta_sts_policy is
    'MTA-STS policies of recipients'' domains (RFC 8461) as they were fetched last, removed after max_age seconds.';
comment on column mta_sts_policy.txt_id is 'The id of the TXT record under which the policy was fetched.';
comment on column mta_sts_policy.mx is 'Patterns of the names of permitted mail servers, in lower case.';
grant select, insert, update, delete on mta_sts_policy to "${app}", mailroom_system;
grant select on mta_sts_policy to mailroom_read;
