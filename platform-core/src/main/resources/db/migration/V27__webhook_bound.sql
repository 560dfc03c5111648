-- The rows of webhook calls and of their attempts become the first partition of their tables, as they are. It ends two months
-- ahead, so that the release before writes into it only. This takes a lock for a moment; the next migration checks the rows
-- while others are written.
do $$
declare
    upper constant uuid := first_id((date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC');
begin
    execute format('alter table webhook_delivery add constraint first_partition check (event_id < %L) not valid', upper);
    execute format('alter table webhook_attempt add constraint first_partition check (delivery_id < %L) not valid', upper);
end $$;
