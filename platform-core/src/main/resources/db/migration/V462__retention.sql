-- What has run out is found without reading what has not.
create index one_time_token_expires on one_time_token (expires_at);
create index session_expires on session (expires_at);
