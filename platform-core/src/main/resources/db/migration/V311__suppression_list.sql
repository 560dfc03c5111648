-- Read backwards by the list.
create index suppression_list on suppression (account_id, created_at, id);
