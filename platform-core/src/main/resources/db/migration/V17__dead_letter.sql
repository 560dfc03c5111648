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
