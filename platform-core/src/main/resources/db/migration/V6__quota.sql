-- Mails accepted in a day or a month of UTC. The row is the lock: who updates it, decides.
create table quota_use (
    account_id  uuid not null,
    period      text not null check (period in ('day', 'month')),
    starts_on   date not null,
    used        bigint not null check (used >= 0),
    primary key (account_id, period, starts_on)
) with (fillfactor = 50);
call secure('quota_use');
