package dev.mailroom.api.account;

import java.time.Instant;

import dev.mailroom.mail.log.AccountUsage;
import org.jspecify.annotations.Nullable;

/** Response to GET /usage; a null limit is none. */
record UsageView(String plan, Mails daily, Mails monthly, Held domains, Held contactBooks, Held contacts) {

	static UsageView of(AccountUsage usage) {
		return new UsageView(usage.plan(), Mails.of(usage.daily()), Mails.of(usage.monthly()), Held.of(usage.domains()),
				Held.of(usage.contactBooks()), Held.of(usage.contacts()));
	}

	/** Mails of a day or a month. */
	record Mails(long used, @Nullable Long limit, @Nullable Long remaining, Instant resetsAt) {

		static Mails of(AccountUsage.Mails mails) {
			return new Mails(mails.used(), mails.limit(), mails.remaining(), mails.resetsAt());
		}

	}

	/** Stored objects. */
	record Held(long used, @Nullable Long limit, @Nullable Long remaining) {

		static Held of(AccountUsage.Held held) {
			return new Held(held.used(), held.limit(), held.remaining());
		}

	}

}
