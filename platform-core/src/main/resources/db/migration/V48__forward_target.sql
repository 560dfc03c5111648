-- Written by an account for its routes with the action forward.
create table forward_target (
    id           uuid primary key,
    account_id   uuid not null references account on delete cascade,
    address      text not null,
    address_key  text not null,
    confirmed_at timestamptz,
    created_at   timestamptz not null,
    unique (account_id, address_key)
);
comment on table forward_target is
    'Addresses outside an account''s domains to which its routes may forward mail after their owners have confirmed.';
comment on column forward_target.address_key is 'The address in lower case.';
comment on column forward_target.confirmed_at is 'When the owner of the address followed the mailed link; null before.';
call secure('forward_target');
call readable('forward_target', 'id, account_id, address, confirmed_at, created_at');

alter table inbound_route add column forward_to text[];
alter table inbound_route add column forward_mode text not null default 'rewrite';
comment on column inbound_route.forward_to is
    'Addresses to which a stored mail is forwarded; null if it is not. The action of such a route is store.';
comment on column inbound_route.forward_mode is
    'Sender of forwarded mail whose author''s domain refuses mail of others: rewrite or keep.';

alter table email add column forward jsonb;
comment on column email.forward is
    'How a forwarded mail is sent: the received mail, whether its envelope has no sender, whether its author was '
    'replaced, and the result of its ARC chain. Its only attachment is the message. Null for other mail.';

create function inbound_rules(wanted uuid)
returns table (pattern text, spam text, action text, forward_to text[], confirmed text[], forward_mode text)
language sql stable as $$
    select route.pattern, route.spam, route.action, route.forward_to,
           array(select listed from unnest(route.forward_to) as listed
                  where exists (select from forward_target as target
                                 where target.account_id = route.account_id and target.address_key = lower(listed)
                                   and target.confirmed_at is not null)
                     or exists (select from domain
                                 where domain.account_id = route.account_id
                                   and domain.name = substring(listed from '[^@]*$')
                                   and domain.status in ('verified', 'temporary_failure'))),
           route.forward_mode
      from inbound_route as route
     where route.domain_id = wanted and route.active order by route.position, route.id
$$;
comment on function inbound_rules(uuid) is
    'The active routes of a domain in their order, with the addresses to which they may forward, for RCPT TO.';
call sees_every_account('inbound_rules(uuid)');
