alter table reputation_day add column other_bounced bigint not null default 0;
comment on column reputation_day.other_bounced is
    'Refused permanently for another reason: soft and block bounces. 0 on days before this column existed.';
grant select (other_bounced) on reputation_day to mailroom_read;

alter table audit add column ip text, add column device text;
comment on column audit.ip is 'Network address of the client of the actor; null if it is unknown.';
comment on column audit.device is
    'Program and system of that client, such as Firefox on Linux, by its User-Agent; null if they are unknown.';
