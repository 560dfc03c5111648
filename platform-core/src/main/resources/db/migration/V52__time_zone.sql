alter table account add column time_zone text not null default 'UTC';
comment on column account.time_zone is
    'Time zone (IANA) in which the web app shows and reads times; days of limits and figures are those of UTC.';
