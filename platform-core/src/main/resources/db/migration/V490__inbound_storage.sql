-- What is large in a mail that came in lies in the bucket, where there is one.
alter table inbound_content
    alter column raw drop not null,
    -- Which of the mail's parts lie there: raw, or the places of files; null where none do.
    add column outside text[];

alter table inbound_attachment
    alter column content drop not null,
    -- In bytes; null where the content itself tells.
    add column size bigint;
