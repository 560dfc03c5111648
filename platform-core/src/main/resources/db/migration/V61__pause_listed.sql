-- Written by the job of the active worker that checks sending addresses.
alter table sending_source add column listed_on text;
comment on column sending_source.listed_on is
    'Name of the block list because of which the address is paused; null if it is not.';
