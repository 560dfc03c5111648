-- What was tried for a delivery, with what was said: a row for each attempt, written with its
-- outcome. The key is the one index: a mail's attempts in the order in which they were written.
create table delivery_attempt (
    id            uuid not null,
    account_id    uuid not null,
    email_id      uuid not null,
    delivery_id   uuid not null,
    attempt       int not null,
    began_at      timestamptz not null,
    took_ms       bigint not null,
    outcome       text not null,
    -- Which way it went, to which host, at which address, and how it was kept from others.
    transport     text not null,
    host          text not null,
    address       text not null,
    tls           text not null,
    -- The last words; null where nothing was said.
    reply         text,
    -- A line each: milliseconds, C: for us or S: for the server, and what was said.
    conversation  text not null,
    primary key (account_id, email_id, id)
);
call secure('delivery_attempt');
