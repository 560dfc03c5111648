-- Written by the package account when the first mail of an account leaves with the platform's signature.
alter table account add column feedback_tag text;
comment on column account.feedback_tag is
    'Name of the account in the field Feedback-ID and in the reports of mailbox providers: ten random letters, so that '
    'receivers learn nothing about the customer. Null until a mail needs it, and never changed afterwards.';
