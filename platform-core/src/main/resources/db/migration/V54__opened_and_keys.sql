-- Conditions of campaigns on opens, and where API keys come from and are used from.

create or replace function contact_matches(filter jsonb, person contact) returns boolean
language plpgsql stable as $$
declare
    part jsonb;
    given text;
begin
    if filter is null or filter = '{}' then
        return true;
    elsif filter ? 'all' then
        for part in select value from jsonb_array_elements(filter -> 'all') loop
            if not contact_matches(part, person) then
                return false;
            end if;
        end loop;
        return true;
    elsif filter ? 'any' then
        for part in select value from jsonb_array_elements(filter -> 'any') loop
            if contact_matches(part, person) then
                return true;
            end if;
        end loop;
        return false;
    elsif filter ? 'property' then
        given := person.properties ->> (filter ->> 'property');
        return case when filter ? 'equals' then coalesce(given = filter ->> 'equals', false)
                    when filter ? 'is_not' then given is distinct from filter ->> 'is_not'
                    when filter ? 'contains'
                        then coalesce(strpos(lower(given), lower(filter ->> 'contains')) > 0, false)
                    when filter ? 'starts_with'
                        then coalesce(starts_with(lower(given), lower(filter ->> 'starts_with')), false)
                    when filter ? 'exists' then (given is not null) = (filter ->> 'exists')::boolean
                    -- Dates are compared as texts: a property may have any text.
                    when filter ? 'before'
                        then coalesce(given ~ '^\d{4}-\d\d-\d\d' and left(given, 10) collate "C" < filter ->> 'before', false)
                    when filter ? 'after'
                        then coalesce(given ~ '^\d{4}-\d\d-\d\d' and left(given, 10) collate "C" > filter ->> 'after', false)
                    else false end;
    elsif filter ? 'created_at' then
        return person.created_at > coalesce((filter -> 'created_at' ->> 'after')::timestamptz, '-infinity')
           and person.created_at < coalesce((filter -> 'created_at' ->> 'before')::timestamptz, 'infinity');
    elsif filter ?| array['clicked', 'not_clicked', 'opened', 'not_opened'] then
        part := coalesce(filter -> 'clicked', filter -> 'not_clicked', filter -> 'opened', filter -> 'not_opened');
        return filter ?| array['clicked', 'opened'] = exists (
            select from (select (part ->> 'campaign_id')::uuid as id where part ? 'campaign_id'
                         union all
                         (select id from campaign
                           where not part ? 'campaign_id' and account_id = person.account_id
                             and started_at >= now() - (part ->> 'within_days')::int * interval '1 day'
                           order by created_at desc, id desc limit 10)) as chosen
              join campaign_recipient as recipient
                on recipient.campaign_id = chosen.id and recipient.contact_id = person.id
               and recipient.account_id = person.account_id
             where case when filter ?| array['opened', 'not_opened']
                        then exists (select from email
                                      where email.id = recipient.email_id and email.account_id = person.account_id
                                        and email.open_count > 0)
                        else exists (select from campaign_link_person as link
                                      where link.campaign_id = chosen.id and link.email_id = recipient.email_id
                                        and link.account_id = person.account_id) end);
    end if;
    return false;
end $$;
comment on function contact_matches(jsonb, contact) is
    'Whether a contact satisfies the filter of a campaign. Clicks are those of persons on links of one campaign, or of the '
    'ten newest that have started within some days; opens are those of persons, of the mails that are still stored.';

alter table api_key add column created_by uuid;
alter table api_key add column last_used_from text;
comment on column api_key.created_by is
    'The person who created the key; null if unknown. No foreign key, as keys outlive memberships.';
comment on column api_key.last_used_from is 'Network address of the last use; null if unknown.';
