-- Two columns, of which one or none is set: a null takes no space, and a deleted key is told from a former member.
alter table email add column api_key_id uuid, add column person_id uuid;
comment on column email.api_key_id is
    'The API key with which the mail was submitted; null for other mail. No foreign key, as mails outlive their key.';
comment on column email.person_id is
    'The person who submitted the mail, as member.person_id; null for mail of keys, campaigns and Mailroom itself, and '
    'for mail from before the column existed. No foreign key, as mails outlive memberships.';
