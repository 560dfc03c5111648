-- Written by operators.
create table provider_profile (
    name        text primary key,
    document    jsonb not null,
    changed_by  uuid not null,
    changed_at  timestamptz not null
);
comment on table provider_profile is
    'What operators changed in the profile of a provider of mail, or a profile of their own. The shipped profiles are in '
    'the jar.';
comment on column provider_profile.document is 'The fields that differ; those that are null or absent are as shipped.';
comment on column provider_profile.changed_by is 'Account of the operator.';
grant select, insert, update, delete on provider_profile to "${app}", mailroom_system;
grant select on provider_profile to mailroom_read;
