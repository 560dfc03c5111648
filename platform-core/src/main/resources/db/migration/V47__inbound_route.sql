-- Written by an account for its domains.
create table inbound_route (
    id          uuid primary key,
    account_id  uuid not null,
    domain_id   uuid not null references domain on delete cascade,
    position    int not null,
    pattern     text not null,
    spam        text not null check (spam in ('mark', 'reject', 'drop')),
    action      text not null check (action in ('store', 'webhook', 'reject', 'drop')),
    active      boolean not null,
    created_at  timestamptz not null
);
comment on table inbound_route is
    'Rules for mail to addresses of a domain. The first active one that matches applies; without a match the mail is '
    'stored.';
comment on column inbound_route.position is 'Place in the order of the domain''s routes.';
comment on column inbound_route.pattern is
    'Local part in lower case, or its beginning followed by an asterisk; an asterisk alone matches all.';
comment on column inbound_route.spam is
    'Treatment of mail that the spam filter would refuse: mark stores it with its verdict.';
comment on column inbound_route.action is
    'webhook stores the mail, and its event has a link to the source; reject refuses the recipient; drop accepts the '
    'mail and forgets it.';
create index inbound_route_domain on inbound_route (domain_id, position);
call secure('inbound_route');
call readable('inbound_route', 'id, account_id, domain_id, position, pattern, spam, action, active, created_at');
