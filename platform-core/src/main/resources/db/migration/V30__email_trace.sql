alter table email add column trace text;
comment on column email.trace is
    'The span of the request that sent the mail, as in the header traceparent (W3C Trace Context); null unless the '
    'request was sampled.';
