-- What became of deliveries: the attempts, and what nobody could send.

-- Written by settlements.
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
) partition by range (email_id);
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

-- Written by workers; operators put deliveries back into the queue.
create table dead_letter (
    id            uuid primary key,
    account_id    uuid,
    what          text not null check (what in ('record', 'mail')),
    why           text not null,
    email_id      uuid,
    delivery_id   uuid,
    died_at       timestamptz not null,
    requeued_at   timestamptz
);
comment on table dead_letter is
    'Records of the topic that cannot be read and mails that cannot be composed, set aside for operators.';
comment on column dead_letter.id is
    'The id of the delivery; for a record, derived from its topic, partition and offset, so that reading it again adds '
    'no row.';
comment on column dead_letter.account_id is 'Null for a record, whose account is unknown.';
comment on column dead_letter.what is 'record: of the Kafka topic; mail.';
comment on column dead_letter.why is 'The error.';
comment on column dead_letter.email_id is 'Null for a record.';
comment on column dead_letter.delivery_id is 'Null for a record.';
comment on column dead_letter.died_at is 'When the error last occurred.';
comment on column dead_letter.requeued_at is
    'When the delivery was put back into the queue, which is possible once; null before.';
create index dead_letter_newest on dead_letter (died_at desc, id);
call secure('dead_letter');
