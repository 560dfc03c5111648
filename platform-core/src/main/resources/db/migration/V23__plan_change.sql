-- Operators create and change plans; plans belong to no account.
grant insert, update on plan to mailroom_system;
