-- For the list and the number of unsubscribed contacts of a book.
create index contact_unsubscribed on contact (account_id, contact_book_id, created_at, id) where not subscribed;
