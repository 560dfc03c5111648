package dev.mailroom.account;

import java.util.UUID;

/** The account behind an outside identity, and whether its address is verified. */
record LinkedAccount(UUID accountId, boolean verified) {
}
