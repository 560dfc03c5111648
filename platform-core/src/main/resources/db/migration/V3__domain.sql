create table domain (
    id               uuid primary key,
    account_id       uuid not null references account,
    -- Lower-case, ASCII (IDNA).
    name             text not null,
    status           text not null default 'pending'
                     check (status in ('pending', 'verified', 'failed', 'temporary_failure')),
    -- What the ownership record must say.
    ownership_token  text not null,
    -- The last look at each record, by purpose: {"dkim": {"status": "...", "error": "..."}}.
    checks           jsonb not null default '{}',
    open_tracking    boolean not null default false,
    click_tracking   boolean not null default false,
    created_at       timestamptz not null,
    verified_at      timestamptz,
    checked_at       timestamptz,
    -- Since when the records of a once verified domain have been missing.
    failing_since    timestamptz,
    unique (account_id, name)
);
-- A verified name belongs to one account.
create unique index domain_owner on domain (name) where status in ('verified', 'temporary_failure');
call secure('domain');

create table dkim_key (
    id                  uuid primary key,
    account_id          uuid not null,
    domain_id           uuid not null references domain on delete cascade,
    selector            text not null,
    algorithm           text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
    -- As the record's p= has it: base64 of SubjectPublicKeyInfo (RSA) or of the 32 bytes (RFC 8463).
    public_key          text not null,
    -- PKCS #8, sealed with the master key and bound to this row and account.
    sealed_private_key  bytea not null,
    -- Whether it signs: a new pair waits until DNS has its records.
    active              boolean not null,
    created_at          timestamptz not null,
    unique (account_id, domain_id, selector)
);
create index dkim_key_domain on dkim_key (domain_id);
call secure('dkim_key');
