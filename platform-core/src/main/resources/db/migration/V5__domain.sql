-- Written by the owner and by the checks of the DNS records, on request and by the job that repeats them.
create table domain (
    id               uuid primary key,
    account_id       uuid not null references account on delete cascade,
    name             text not null,
    status           text not null default 'pending'
                     check (status in ('pending', 'verified', 'failed', 'temporary_failure')),
    ownership_token  text not null,
    checks           jsonb not null default '{}',
    open_tracking    boolean not null default false,
    click_tracking   boolean not null default false,
    transport        text check (transport in ('relay', 'mx')),
    require_tls      boolean not null default false,
    created_at       timestamptz not null,
    verified_at      timestamptz,
    checked_at       timestamptz,
    recheck_at       timestamptz,
    failing_since    timestamptz,
    notice           text check (notice in ('grace', 'failed')),
    unique (account_id, name)
);
comment on table domain is 'A sending domain of an account.';
comment on column domain.name is 'Lower-case, in ASCII (IDNA A-labels).';
comment on column domain.status is
    'pending: not verified yet, or the name is verified for another account; verified; temporary_failure: was '
    'verified, but records are missing for less than the grace period or DNS does not answer, still sends; failed: '
    'records were missing for longer.';
comment on column domain.ownership_token is 'Value that the ownership TXT record must contain.';
comment on column domain.checks is
    'Result of the last check of each record, by purpose and host: '
    '{"dkim <host>": {"status": "failed", "error": "..."}}.';
comment on column domain.open_tracking is 'Whether opens are tracked in mails that do not specify it.';
comment on column domain.click_tracking is 'Whether clicks are tracked in mails that do not specify it.';
comment on column domain.transport is 'Transport of the domain''s mail: relay or mx; null for the account''s.';
comment on column domain.require_tls is
    'Whether mail is sent only over TLS to servers with a valid certificate, and otherwise not delivered.';
comment on column domain.verified_at is 'When the domain was first verified; null before.';
comment on column domain.checked_at is 'When the records were last checked; null before the first check.';
comment on column domain.recheck_at is
    'When the records are checked next; null before the first verification and for the platform''s own domain.';
comment on column domain.failing_since is
    'When a check first found that records required for sending are missing; null once they are present again.';
comment on column domain.notice is
    'Notice that still has to be sent to the owner: grace (records are missing) or failed (the grace period is over); '
    'null if none.';
-- A name is verified for one account at most.
create unique index domain_owner on domain (name) where status in ('verified', 'temporary_failure');
-- Read by every lease; domains with a transport or TLS requirement of their own are few.
create index domain_transport on domain (account_id) where transport is not null or require_tls;
create index domain_recheck on domain (recheck_at) where recheck_at is not null;
create index domain_notice on domain (failing_since) where notice is not null;
call secure('domain');

-- Written when a domain is added and when its keys are rotated; a check of the DNS records activates the new pair.
create table dkim_key (
    id                  uuid primary key,
    account_id          uuid not null,
    domain_id           uuid not null references domain on delete cascade,
    selector            text not null,
    algorithm           text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
    public_key          text not null,
    sealed_private_key  bytea not null,
    active              boolean not null,
    created_at          timestamptz not null,
    unique (account_id, domain_id, selector)
);
comment on table dkim_key is 'A DKIM key pair of a domain (RFC 6376, RFC 8463).';
comment on column dkim_key.public_key is
    'The p= tag of the DNS record: base64 of SubjectPublicKeyInfo (RSA) or of the 32 key bytes (Ed25519).';
comment on column dkim_key.sealed_private_key is
    'PKCS #8, encrypted with the master key and bound to this row and account.';
comment on column dkim_key.active is
    'Whether the key signs; after a rotation the new pair is inactive until its DNS records are found.';
create index dkim_key_domain on dkim_key (domain_id);
call secure('dkim_key');

-- Written at the start of the warm-up and by each page of campaign mails.
create table domain_warmup (
    domain_id   uuid primary key references domain on delete cascade,
    account_id  uuid not null,
    started_at  timestamptz not null,
    allowances  bigint[] not null,
    day         int not null default 0,
    counted_on  date,
    used        bigint not null default 0
    -- Free space for HOT updates: each page of mails updates the row.
) with (fillfactor = 50);
comment on table domain_warmup is
    'The warm-up of a domain, which limits its campaign mails in a day (UTC). Days without campaign mails do not count. The '
    'row lock serializes concurrent pages of the domain''s campaigns; the row stays when the last day is over.';
comment on column domain_warmup.allowances is 'Campaign mails permitted on each of its days, fixed at its start.';
comment on column domain_warmup.day is 'Number of the last day with campaign mails, from 1; 0 before the first.';
comment on column domain_warmup.counted_on is 'Date of that day; null before the first.';
comment on column domain_warmup.used is 'Campaign mails of that day.';
call secure('domain_warmup');

create view warmup_today with (security_invoker = true) as
select domain_id, account_id, started_at as warming_since, today.day as warmup_day, today.used as warmup_used,
       allowances as warmup_allowances, (today.date + 1)::timestamp at time zone 'UTC' as warmup_resets_at
  from domain_warmup
 cross join lateral (
     select case when counted_on >= utc.date then counted_on else utc.date end as date,
            case when counted_on >= utc.date then day else day + 1 end as day,
            case when counted_on >= utc.date then used else 0 end as used
       from (select (now() at time zone 'UTC')::date as date) as utc) as today
 where today.day <= cardinality(allowances);
comment on view warmup_today is
    'Warm-ups that have not ended, with the number of today and its mails. The caller''s policies apply (security_invoker).';
comment on column warmup_today.warmup_resets_at is 'The next midnight of UTC.';
-- With update, for the lock on the row.
grant select, update on warmup_today to "${app}", mailroom_system;
