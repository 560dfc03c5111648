-- Written by the workers, the sites that changed every ten seconds, and by operators who pause or forget a site.
create table site_memory (
    site          text not null,
    source        text not null default '',
    profile       text not null,
    pace          double precision not null,
    paced_at      timestamptz not null,
    base_rate     int not null,
    paused_until  timestamptz,
    pauses        int not null,
    reply         text not null,
    learned_at    timestamptz not null,
    primary key (site, source)
);
comment on table site_memory is
    'What workers learned about the pace of servers that share limits. A row ends a day after it has no effect.';
comment on column site_memory.site is 'Name of the profile of a provider, else the MX hosts, else the domain.';
comment on column site_memory.source is 'The sending address; empty for the one that the operating system chooses.';
comment on column site_memory.pace is
    'Share of the sessions and the rate of the profile at paced_at; since then it has grown by 0.1 for each ten minutes.';
comment on column site_memory.base_rate is
    'Mails per minute at the first slowdown, of which pace is a share if the profile names no rate.';
comment on column site_memory.paused_until is 'End of the last pause; null if there was none.';
comment on column site_memory.pauses is 'Pauses in succession, each twice as long as the one before.';
comment on column site_memory.reply is 'The reply that was learned from last, or the reason of an operator.';
grant select, insert, update, delete on site_memory to "${app}", mailroom_system;
grant select on site_memory to mailroom_read;

alter table destination_report add column site text, add column profile text;
comment on column destination_report.site is 'As site_memory.site; null for a relay, or without profiles.';
comment on column destination_report.profile is 'Name of the profile of the site; null without a site.';
