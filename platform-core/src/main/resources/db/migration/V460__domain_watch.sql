-- When a domain that was verified is looked at again; never for the platform's own, which is the operator's word.
alter table domain add column recheck_at timestamptz;
-- What its owner is still to be told of: grace (its records are gone) or failed (they were gone for too long).
alter table domain add column notice text check (notice in ('grace', 'failed'));
create index domain_recheck on domain (recheck_at) where recheck_at is not null;
create index domain_notice on domain (failing_since) where notice is not null;

set local role mailroom_system;
update domain set recheck_at = now() + random() * interval '1 hour'
 where verified_at is not null
   and not exists (select from account where account.id = domain.account_id and account.role = 'platform');
reset role;
