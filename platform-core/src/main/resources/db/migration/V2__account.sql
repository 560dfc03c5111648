-- What a plan allows; null is without limit. Days and months are those of UTC.
create table plan (
    name                text primary key,
    daily_limit         bigint,
    monthly_limit       bigint,
    domain_limit        bigint,
    contact_book_limit  bigint,
    contact_limit       bigint
);
insert into plan values
    ('free', 100, 3000, 10, 2, 200),
    ('pro', null, 50000, null, null, null),
    ('unlimited', null, null, null, null, null);
grant select on plan to "${app}", mailroom_system;

create table account (
    id                 uuid primary key,
    email              text not null,
    -- The address under which it signs in, lower-case.
    email_key          text not null unique,
    name               text not null default '',
    -- Argon2id; null for an account that another issuer signs in.
    password_hash      text,
    email_verified_at  timestamptz,
    plan               text not null references plan,
    role               text not null default 'tenant' check (role in ('tenant', 'operator', 'platform')),
    -- Why the account may not send at present; null where it may.
    paused_reason      text,
    created_at         timestamptz not null
);
call secure('account', 'id');
