create table delivery_attempt (
    id            uuid not null,
    account_id    uuid not null,
    email_id      uuid not null,
    delivery_id   uuid not null,
    attempt       int not null,
    began_at      timestamptz not null,
    took_ms       bigint not null,
    outcome       text not null,
    transport     text not null,
    host          text not null,
    address       text not null,
    tls           text not null,
    reply         text,
    conversation  text not null,
    -- The only index: the attempts of a mail, in the order in which they were written.
    primary key (account_id, email_id, id)
);
comment on table delivery_attempt is 'The history of attempts, one row each, inserted together with the outcome.';
comment on column delivery_attempt.attempt is 'Number of the attempt within its delivery, from 1.';
comment on column delivery_attempt.took_ms is 'Duration in milliseconds.';
comment on column delivery_attempt.outcome is
    'delivered, sent, bounced, deferred, expired, failed, suppressed, or unanswered: the connection ended before the '
    'final reply.';
comment on column delivery_attempt.transport is 'relay, mx or simulator.';
comment on column delivery_attempt.host is 'Name of the server; empty if none was reached.';
comment on column delivery_attempt.address is 'IP address of the server; empty if none was reached.';
comment on column delivery_attempt.tls is 'TLS version and cipher; empty for an unencrypted session.';
comment on column delivery_attempt.reply is 'The final reply or error; null if there was none.';
comment on column delivery_attempt.conversation is
    'The SMTP dialogue without secrets, a line each: milliseconds since the beginning, C: or S: for client or server, '
    'and the text.';
call secure('delivery_attempt');
