alter table session add column device text check (length(device) <= 100);
comment on column session.device is
    'Program and system of the client that signed in, such as Firefox on Linux, as its User-Agent states; null if it is '
    'unknown.';
