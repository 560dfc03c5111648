-- The day of UTC on which a mail last had the link in it: what no mail has had for long enough leads nowhere any more.
alter table tracked_link add column used_on date not null default (now() at time zone 'UTC')::date;
create index tracked_link_used on tracked_link (used_on);
