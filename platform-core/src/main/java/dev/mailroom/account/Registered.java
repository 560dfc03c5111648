package dev.mailroom.account;

import org.jspecify.annotations.Nullable;

/**
 * How a registration ended, in a form that does not tell whether the address had an
 * account before.
 *
 * @param account what the applicant is shown
 * @param letter what the owner of the address is owed, or null where they have had enough
 */
public record Registered(Account account, @Nullable AccountNotice letter) {
}
