alter table account add column second_of uuid references account on delete set null;
comment on column account.second_of is
    'For a second registration of an address, which is never verified: the account that had the address before, whose id '
    'salts password_hash; null when that account is deleted or its owner has shown control of the address, and for all '
    'other accounts.';
comment on column account.email_key is
    'The address for sign-in: lower-case, domain in ASCII; identity:<id> when email is empty, second:<id> for a second '
    'registration of an address.';
-- For sign-in, which compares the hash, and for the end of second registrations.
create index account_second on account (second_of, password_hash) where second_of is not null;

create function second_registration(first uuid, hash text) returns setof account
language sql stable as '
    select * from account
     where second_of = first and (hash is null or password_hash = hash) order by created_at, id limit 1';
comment on function second_registration(uuid, text) is
    'The oldest second registration of an account''s address that has this password hash, or of all if it is null.';
call sees_every_account('second_registration(uuid, text)');

create function close_second_registrations(first uuid) returns bigint language plpgsql as $$
declare
    closed uuid[];
begin
    -- Waits for sign-ins that hold the row, so that their sessions are seen below.
    with gone as (
        update account set password_hash = null, second_of = null where second_of = first returning id)
    select array_agg(id) into closed from gone;
    delete from sign_in_challenge where account_id = any(closed);
    delete from session where account_id = any(closed);
    return coalesce(cardinality(closed), 0);
end $$;
comment on function close_second_registrations(uuid) is
    'Removes the passwords and ends the sessions of the second registrations of an account''s address; returns their '
    'number.';
call sees_every_account('close_second_registrations(uuid)');
