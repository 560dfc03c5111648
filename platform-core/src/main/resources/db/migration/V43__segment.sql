-- Conditions on contacts: saved ones, and more of them for the filters of campaigns.

-- Written by the account when its members save conditions.
create table segment (
    id          uuid primary key,
    account_id  uuid not null references account on delete cascade,
    name        text not null,
    filter      jsonb not null,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    unique (account_id, name)
);
comment on table segment is 'A condition on contacts under a name. A campaign gets a copy of the condition.';
comment on column segment.filter is 'As campaign.filter.';
call secure('segment');

create function contact_matches(filter jsonb, person contact) returns boolean
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
    elsif filter ? 'clicked' or filter ? 'not_clicked' then
        part := coalesce(filter -> 'clicked', filter -> 'not_clicked');
        if part ? 'campaign_id' then
            return filter ? 'clicked' = exists (
                select from campaign_recipient as recipient
                  join campaign_link_person as link using (campaign_id, email_id)
                 where recipient.campaign_id = (part ->> 'campaign_id')::uuid and recipient.contact_id = person.id
                   and recipient.account_id = person.account_id and link.account_id = person.account_id);
        end if;
        return filter ? 'clicked' = exists (
            select from (select id from campaign
                          where account_id = person.account_id
                            and started_at >= now() - (part ->> 'within_days')::int * interval '1 day'
                          order by created_at desc, id desc limit 10) as recent
              join campaign_recipient as recipient
                on recipient.campaign_id = recent.id and recipient.contact_id = person.id
               and recipient.account_id = person.account_id
              join campaign_link_person as link
                on link.campaign_id = recent.id and link.email_id = recipient.email_id
               and link.account_id = person.account_id);
    end if;
    return false;
end $$;
comment on function contact_matches(jsonb, contact) is
    'Whether a contact satisfies the filter of a campaign. Clicks are those of persons on links of one campaign, or of the '
    'ten newest that have started within some days.';

-- For apps of the release before, which know fewer conditions: a contact satisfies none of the others.
create or replace function contact_matches(filter jsonb, properties jsonb, created timestamptz) returns boolean
language plpgsql stable as $$
declare
    part jsonb;
begin
    if filter is null or filter = '{}' then
        return true;
    elsif filter ? 'all' then
        for part in select value from jsonb_array_elements(filter -> 'all') loop
            if not contact_matches(part, properties, created) then
                return false;
            end if;
        end loop;
        return true;
    elsif filter ? 'any' then
        for part in select value from jsonb_array_elements(filter -> 'any') loop
            if contact_matches(part, properties, created) then
                return true;
            end if;
        end loop;
        return false;
    elsif filter ? 'property' then
        return coalesce(properties ->> (filter ->> 'property') = filter ->> 'equals', false);
    elsif filter ? 'created_at' then
        return created > coalesce((filter -> 'created_at' ->> 'after')::timestamptz, '-infinity')
           and created < coalesce((filter -> 'created_at' ->> 'before')::timestamptz, 'infinity');
    end if;
    return false;
end $$;
