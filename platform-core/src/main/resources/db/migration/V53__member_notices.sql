alter table member add column notices text[];
comment on column member.notices is
    'Kinds of events of which the person is told by mail; null for those that the role is told of by default.';
