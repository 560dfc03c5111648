alter table account
    -- The first day of UTC that counts against the account: what was before it was forgiven when a pause was lifted.
    add column counted_from date,
    -- Whether its owner is still to be told of the pause.
    add column pause_notice boolean not null default false;

create index account_pause_notice on account (id) where pause_notice;
